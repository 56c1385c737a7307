import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import pg from 'pg';
import { newRecordId } from '../src/values/record-id.js';
import { median, show } from './support/figures.js';
import { memoryOf } from './support/memory.js';
import { authorizationOf, Stack } from './support/stack.js';

// An import of contacts over HTTP, each for a new account. Compares Parley with a floor of one INSERT … SELECT FROM
// unnest of the same rows, and measures the peak memory of the service.

const ROWS = Number(process.env['BENCH_ROWS'] ?? 100_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const TARGET_SECONDS = 10;
const TARGET_MB = 200;

const FIRST = ['Ada', 'Grace', 'Edda', 'Milo', 'Nora', 'Oskar', 'Petra', 'Quentin', 'Runa', 'Silas', 'Thea', 'Ulf'];
const LAST = ['Lindgrove', 'Harbour', 'Steinfield', 'Bergman', 'Waldmark', 'Kronholt', 'Falkwick', 'Bromdale', 'Oster'];

/** The cells of one row; phone numbers are in random order, as in most files. */
function cellsOf(index: number, prefix: number): string[] {
  const first = FIRST[index % FIRST.length] as string;
  const last = LAST[Math.floor(index / FIRST.length) % LAST.length] as string;
  const phone = `49${prefix}${String((index * 38_742_049) % 100_000_000).padStart(8, '0')}`;
  const email = `${first}.${last}${index}@mail${index % 200}.example`.toLowerCase();
  return [phone, first, last, email, `Company ${index % 1000}`, 'vip|news', 'true'];
}

/** The floor: returns the seconds that one INSERT of all rows takes. */
async function runFloor(pool: pg.Pool, accountId: string, rows: readonly string[][]): Promise<number> {
  const column = (index: number): string[] => rows.map((row) => row[index] as string);
  const from = performance.now();
  await pool.query(
    `INSERT INTO contacts (account_id, id, phone_number, first_name, last_name, email, company, tags, opted_in, source)
     SELECT $1, id, phone_number, first_name, last_name, email, company, string_to_array(tags, '|'), opted_in, 'import'
     FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::boolean[])
       AS r (id, phone_number, first_name, last_name, email, company, tags, opted_in)`,
    [
      accountId,
      rows.map(() => newRecordId()),
      column(0),
      column(1),
      column(2),
      column(3),
      column(4),
      column(5),
      column(6),
    ],
  );
  return (performance.now() - from) / 1000;
}

async function bench(): Promise<void> {
  const stack = await Stack.start();
  const pool = new pg.Pool({ connectionString: stack.databaseUrl, max: 1 });
  try {
    const pid = stack.service.pid ?? 0;
    console.log(
      `Import of ${ROWS.toLocaleString('en-US')} rows, ${ROUNDS} rounds; the service uses ${memoryOf(pid)} MB before; load ${loadavg()[0]?.toFixed(1)}`,
    );
    const [ours, floor, peaks, again]: number[][] = [[], [], [], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      const rows = Array.from({ length: ROWS }, (_, index) => cellsOf(index, 151 + round));
      const file = `phone_number,first_name,last_name,email,company,tags,opted_in\n${rows.map((row) => row.join(',')).join('\n')}\n`;
      const account = await stack.account();
      floor?.push(await runFloor(pool, (await stack.account()).accountId, rows));
      writeFileSync(`/proc/${pid}/clear_refs`, '5'); // Resets the peak.
      for (const seconds of [ours, again]) {
        const from = performance.now();
        const response = await fetch(`${stack.baseUrl}/api/v1/contacts/import`, {
          method: 'POST',
          headers: { ...authorizationOf(account), 'content-type': 'text/csv' },
          body: file,
        });
        const answer = (await response.json()) as { created: number; updated: number; failed: number };
        if (answer.created + answer.updated !== ROWS)
          throw new Error(`not all rows were imported: ${JSON.stringify(answer)}`);
        seconds?.push((performance.now() - from) / 1000);
      }
      peaks?.push(memoryOf(pid, 'VmHWM'));
    }
    const list = (values: readonly number[] = [], digits = 1): string =>
      `${median(values).toFixed(digits)} (${values.map((value) => value.toFixed(digits)).join(', ')})`;
    show('floor', { seconds: list(floor) });
    show('ours', { seconds: list(ours), 'peak MB': list(peaks, 0) });
    show('the same file again', { seconds: list(again) });
    console.log(
      `  ours takes ${(median(ours ?? []) / median(floor ?? [])).toFixed(1)} times the floor (target: under ${TARGET_SECONDS} s and ${TARGET_MB} MB); load ${loadavg()[0]?.toFixed(1)}`,
    );
  } finally {
    await pool.end();
    await stack.stop();
  }
}

await bench();
