import type { FastifyInstance } from 'fastify';
import { DomainError } from '../errors/domain-error.js';

/** Characters of a path that an error message shows. */
const MAX_PATH = 200;

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route of this server. */
    routeTable: RouteTable;
  }
}

/** The paths of a server and their methods, so that a 404 can say what a path does accept. */
export class RouteTable {
  private readonly paths = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();

  /** Records the routes that are added to `server` from now on. */
  static attach(server: FastifyInstance): void {
    const table = new RouteTable();
    server.decorate('routeTable', table);
    server.addHook('onRoute', ({ url, method }) => table.add(url, [method].flat()));
  }

  private add(url: string, methods: readonly string[]): void {
    // The catch-all of preflight requests is not a route to name.
    if (url === '*' || url === '/*') return;
    const path = withoutSlash(url);
    const known = this.paths.get(path) ?? { pattern: patternOf(path), methods: new Set() };
    for (const method of methods) known.methods.add(method);
    this.paths.set(path, known);
  }

  /** The methods of a path, sorted; empty when there is no such path. */
  methodsOf(path: string): string[] {
    const wanted = withoutSlash(path);
    const exact = this.paths.get(wanted);
    const matching =
      exact === undefined ? [...this.paths.values()].filter(({ pattern }) => pattern.test(wanted)) : [exact];
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort();
  }

  /** The 404 for a request that no route accepts. It names the path and, in `Allow` too, the methods of the path. */
  refusal(method: string, url: string): DomainError {
    const path = url.split('?')[0] ?? '';
    const shown = path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path;
    const methods = this.methodsOf(path);
    if (methods.length === 0) return new DomainError('not_found', `there is no route ${method} ${shown}`);
    return new DomainError('not_found', `${shown} does not accept ${method}; it accepts ${methods.join(', ')}`, {
      headers: { allow: methods.join(', ') },
    });
  }
}

const withoutSlash = (path: string): string => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);

/** Matches the concrete paths of a route such as `/api/v1/contacts/:id`. */
const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split('/')
      .map((segment) =>
        segment.startsWith(':') ? '[^/]+' : segment === '*' ? '.*' : segment.replace(/[^\w-]/g, '\\$&'),
      )
      .join('/')}$`,
  );
