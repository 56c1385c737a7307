import { Pool } from 'undici';

/** The measurements of a load run. */
export interface LoadResult {
  readonly perSecond: number;
  /** Latency of each request in milliseconds. */
  readonly latencies: number[];
  readonly failures: number;
}

export interface LoadRequest {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface LoadSize {
  readonly connections: number;
  readonly requests: number;
}

/** Keeps `connections` requests in flight until `requests` have been made. A response other than 200 is a failure. */
export async function load(
  origin: string,
  { next, ...size }: LoadSize & { next: (index: number) => LoadRequest },
): Promise<LoadResult> {
  const pool = new Pool(origin, { connections: size.connections, pipelining: 1 });
  const result = await inFlight(size, async (index) => {
    const { path, headers, body } = next(index);
    const answer = await pool.request({ path, method: 'POST', headers, body });
    await answer.body.dump();
    return answer.statusCode === 200;
  });
  await pool.close();
  return result;
}

/** Keeps `connections` calls of `work` in flight until `requests` are done; `work` returns whether it succeeded. */
export async function inFlight(
  { connections, requests }: LoadSize,
  work: (index: number) => Promise<boolean>,
): Promise<LoadResult> {
  const latencies: number[] = [];
  let failures = 0;
  let started = 0;
  const worker = async (): Promise<void> => {
    while (started < requests) {
      const index = started++;
      const from = performance.now();
      const succeeded = await work(index);
      latencies.push(performance.now() - from);
      if (!succeeded) failures += 1;
    }
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: connections }, worker));
  return { perSecond: requests / ((performance.now() - from) / 1000), latencies, failures };
}
