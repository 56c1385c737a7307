import { Injectable } from '@nestjs/common';
import { MicroBatch } from '../database/batching/micro-batch.js';
import { columnsOf } from '../database/sql/columns.js';
import { Pipeline } from '../database/unit-of-work.js';
import { RequestWindows, type WindowAnswer } from './request-windows.js';

interface Request {
  readonly subject: string;
  readonly limit: number;
  readonly spanMs: number;
}

interface GrantRow {
  readonly position: number;
  readonly granted: number;
  /** Requests in the window, including those just granted. */
  readonly used: number;
  readonly resetMs: number;
}

/** Requests with the same subject and limit, by their index in the batch. */
interface Group extends Request {
  readonly places: number[];
  wanted: number;
}

/** Counts requests on PostgreSQL. Requests that arrive together share a round trip. */
@Injectable()
export class PostgresRequestWindows extends RequestWindows {
  private readonly batch = new MicroBatch<Request, WindowAnswer>((requests) => this.takeAll(requests), {
    name: 'rate-limit',
    maxItems: 100,
    concurrency: 2,
    besideAfterMs: 25,
    tenantOf: ({ subject }) => subject,
  });

  constructor(private readonly pipeline: Pipeline) {
    super();
  }

  take(subject: string, limit: number, spanMs: number): Promise<WindowAnswer> {
    return this.batch.run({ subject, limit, spanMs });
  }

  private async takeAll(requests: Request[]): Promise<WindowAnswer[]> {
    const groups = groupsOf(requests);
    const rows = await this.pipeline.autocommit.rows<GrantRow>(
      `WITH unsynced AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
       SELECT r.position::int, t.granted, t.used, t.reset_ms
       FROM unsynced,
            unnest($1::text[], $2::int[], $3::bigint[], $4::bigint[]) WITH ORDINALITY AS r (subject, wanted, most, span_ms, position),
            LATERAL take_rate_limit(r.subject, r.wanted, r.most, r.span_ms) AS t`,
      columnsOf(groups, ['subject', 'wanted', 'limit', 'spanMs']),
    );
    const answers: WindowAnswer[] = [];
    for (const { position, granted, used, resetMs } of rows) {
      let index = 0;
      for (const place of groups[position - 1]?.places ?? []) {
        const allowed = index < granted;
        answers[place] = { allowed, used: allowed ? used - granted + index + 1 : used, resetMs };
        index += 1;
      }
    }
    return answers;
  }
}

/** Sorted, because rows are locked in this order: two batches cannot deadlock. */
function groupsOf(requests: readonly Request[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [place, request] of requests.entries()) {
    const key = `${request.subject} ${request.limit} ${request.spanMs}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { ...request, places: [place], wanted: 1 });
    else group.wanted = group.places.push(place);
  }
  const found = [...groups.values()];
  return found.length < 2 ? found : found.sort((a, b) => (a.subject < b.subject ? -1 : a.subject > b.subject ? 1 : 0));
}
