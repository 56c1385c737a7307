import { Pool } from 'undici';

/** What a run of load measured. */
export interface LoadResult {
  readonly perSecond: number;
  /** Of each request, milliseconds. */
  readonly latencies: number[];
  readonly failures: number;
}

/** One request to make. */
export interface LoadRequest {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Keeps `connections` requests in flight until `requests` have been answered. */
export async function load(
  origin: string,
  { connections, requests, next }: { connections: number; requests: number; next: (index: number) => LoadRequest },
): Promise<LoadResult> {
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const latencies: number[] = [];
  let failures = 0;
  let started = 0;
  const worker = async (): Promise<void> => {
    while (started < requests) {
      const { path, headers, body } = next(started++);
      const from = performance.now();
      const answer = await pool.request({ path, method: 'POST', headers, body });
      await answer.body.dump();
      latencies.push(performance.now() - from);
      if (answer.statusCode !== 200) failures += 1;
    }
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (performance.now() - from) / 1000;
  await pool.close();
  return { perSecond: requests / seconds, latencies, failures };
}
