import 'reflect-metadata';
import pg from 'pg';
import { newRecordId } from '../src/values/record-id.js';
import { median, show } from './support/figures.js';
import { authorizationOf, type BenchAccount, post, Stack } from './support/stack.js';

// A sync of 1,000 network templates over five pages. Compares Parley with a floor that reads the same pages and inserts
// the templates in one statement. Both take turns. Target: under 2 s.

const TEMPLATES = 1000;
const ROUNDS = 5;
const CONCURRENCY = 8;

interface Page {
  readonly data: readonly { readonly id: string; readonly name: string }[];
  readonly paging?: { readonly next?: string };
}

/** Creates templates on the network that Parley does not know yet. */
async function createUpstream(stack: Stack, { wabaId }: BenchAccount): Promise<void> {
  const url = `${stack.simulatorUrl}/v23.0/${wabaId}/message_templates`;
  const body = { language: 'en_US', category: 'UTILITY', components: [{ type: 'BODY', text: 'Your parcel is here' }] };
  const names = Array.from({ length: TEMPLATES }, (_, index) => `parcel_${index}`);
  const worker = async (): Promise<void> => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      await post(url, { ...body, name }, { authorization: 'Bearer bench' });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** The floor: the minimum work for a sync; returns milliseconds. */
async function runFloor(stack: Stack, { wabaId }: BenchAccount, database: pg.Client): Promise<number> {
  const from = performance.now();
  const found: { id: string; name: string }[] = [];
  let url: string | undefined = `${stack.simulatorUrl}/v23.0/${wabaId}/message_templates?limit=200`;
  while (url !== undefined) {
    const page = (await (await fetch(url, { headers: { authorization: 'Bearer bench' } })).json()) as Page;
    found.push(...page.data);
    url = page.paging?.next;
  }
  await database.query(
    `INSERT INTO floor_templates (id, name, content)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::jsonb[])`,
    [found.map(() => newRecordId()), found.map(({ name }) => name), found.map((each) => JSON.stringify(each))],
  );
  if (found.length !== TEMPLATES) throw new Error(`the floor found ${found.length} templates`);
  return performance.now() - from;
}

async function runOurs(stack: Stack, account: BenchAccount): Promise<{ ms: number; created: number }> {
  const from = performance.now();
  const answer = await post(`${stack.baseUrl}/api/v1/templates/sync`, {}, authorizationOf(account));
  const { created } = (answer as { summary: { created: number } }).summary;
  return { ms: performance.now() - from, created };
}

async function bench(): Promise<void> {
  const stack = await Stack.start();
  const database = new pg.Client({ connectionString: stack.databaseUrl });
  try {
    await stack.simulate('behaviour', { review: 'manual' });
    await database.connect();
    await database.query('CREATE TABLE floor_templates (id uuid PRIMARY KEY, name text, content jsonb)');
    console.log(`Sync of ${TEMPLATES.toLocaleString('en-US')} templates, ${ROUNDS} rounds`);
    const ours: number[] = [];
    const again: number[] = [];
    const floors: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const account = await stack.account();
      await createUpstream(stack, account);
      const floor = await runFloor(stack, account, database);
      const first = await runOurs(stack, account);
      if (first.created !== TEMPLATES) throw new Error(`the sync created ${first.created} templates`);
      const second = await runOurs(stack, account);
      if (round === 0) continue; // warm-up
      floors.push(floor);
      ours.push(first.ms);
      again.push(second.ms);
    }
    show('floor', { 'median ms': median(floors).toFixed(0), 'worst ms': Math.max(...floors).toFixed(0) });
    show('ours, all new', { 'median ms': median(ours).toFixed(0), 'worst ms': Math.max(...ours).toFixed(0) });
    show('ours, nothing changed', { 'median ms': median(again).toFixed(0), 'worst ms': Math.max(...again).toFixed(0) });
    console.log(`  ours takes ${(median(ours) / median(floors)).toFixed(1)} times the floor (target: under 2,000 ms)`);
  } finally {
    await database.end();
    await stack.stop();
  }
}

await bench();
