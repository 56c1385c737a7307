import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics, Observer } from '../runtime/metrics.js';

/** Seconds. Most requests take milliseconds; a single send waits for the network, an import for the database. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The route of requests that match none. Their paths are not used as labels: callers could invent any number of them. */
const UNMATCHED = 'none';

/** Measures every request by the pattern of its route, its method and its status. */
export class RequestMetrics {
  /** By method, route and status, so that a request looks up its labels instead of building them. */
  private readonly observers = new Map<string, Map<string, Map<number, Observer>>>();
  private readonly seconds: { labels(method: string, route: string, status: string): Observer };

  constructor(metrics: Metrics) {
    this.seconds = metrics.histogram(
      {
        name: 'parley_http_request_seconds',
        help: 'Time from the arrival of a request until its response was sent',
        labels: ['method', 'route', 'status'],
      },
      BUCKETS,
    );
  }

  observe(request: FastifyRequest, reply: FastifyReply): void {
    const route = request.routeOptions.url;
    const method = route === undefined ? UNMATCHED : request.method;
    this.observer(method, route ?? UNMATCHED, reply.statusCode).observe(reply.elapsedTime / 1000);
  }

  private observer(method: string, route: string, status: number): Observer {
    const routes = entry(this.observers, method, () => new Map<string, Map<number, Observer>>());
    const statuses = entry(routes, route, () => new Map<number, Observer>());
    return entry(statuses, status, () => this.seconds.labels(method, route, String(status)));
  }
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
