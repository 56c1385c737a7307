import { Injectable } from '@nestjs/common';
import { MicroBatch } from '../database/micro-batch.js';
import { Pipeline } from '../database/pipeline.js';
import { RequestWindows, type WindowAnswer } from './request-windows.js';

interface Request {
  readonly subject: string;
  readonly limit: number;
  readonly spanMs: number;
}

interface AnswerRow {
  readonly position: number;
  readonly allowed: boolean;
  readonly used: number;
  readonly reset_ms: number;
}

/** The windows on PostgreSQL; requests that arrive together share a round trip. */
@Injectable()
export class PostgresRequestWindows extends RequestWindows {
  private readonly batch = new MicroBatch<Request, WindowAnswer>((requests) => this.takeAll(requests), {
    mostItems: 100,
    concurrency: 4,
  });

  constructor(private readonly pipeline: Pipeline) {
    super();
  }

  take(subject: string, limit: number, spanMs: number): Promise<WindowAnswer> {
    return this.batch.run({ subject, limit, spanMs });
  }

  private async takeAll(requests: Request[]): Promise<WindowAnswer[]> {
    // Rows are locked in the order of the arrays: sorted, so that two batches cannot wait for each other.
    const order = requests
      .map((request, position) => ({ ...request, position }))
      .sort((a, b) => (a.subject < b.subject ? -1 : a.subject > b.subject ? 1 : a.position - b.position));
    const rows = await this.pipeline.tx.rows<AnswerRow>(
      `WITH unsynced AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
       SELECT r.position::int, t.allowed, t.used, t.reset_ms
       FROM unsynced, unnest($1::text[], $2::bigint[], $3::int[], $4::int[]) AS r (subject, most, span_ms, position),
            LATERAL take_rate_limit(r.subject, r.most, r.span_ms * interval '1 millisecond') AS t`,
      [
        order.map(({ subject }) => subject),
        order.map(({ limit }) => limit),
        order.map(({ spanMs }) => spanMs),
        order.map(({ position }) => position),
      ],
    );
    const answers: WindowAnswer[] = [];
    for (const row of rows) {
      answers[row.position] = { allowed: row.allowed, used: Number(row.used), resetMs: Number(row.reset_ms) };
    }
    return answers;
  }
}
