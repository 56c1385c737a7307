import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { newRecordId } from '../src/values/record-id.js';
import { callbackBody, signedHeaders, statusReport } from './support/callbacks.js';
import { type Calls, Coverage, freePort } from './support/coverage.js';
import { authorizationOf, type BenchAccount, post, Stack } from './support/stack.js';

// How many files and functions of `src` a warm process runs through for one single send, one campaign and one status
// report. What a process does anyway does not count: every way is taken several times, and a function counts if it ran
// each time; in a way that lasts longer than a sweep's interval, more often than in any equally long time without work.
// `BENCH_LIST=1` prints the functions.

const RECIPIENTS = 50;
const WARM_UPS = 20;
const TAKES = 8;
const LIST = process.env['BENCH_LIST'] === '1';

/** Something whose steps are counted. Prepared first; only `take` is counted. */
interface Way {
  readonly name: string;
  readonly warmUps: number;
  /** Whether sweeps run meanwhile, each time. */
  readonly lasts: boolean;
  prepare(): Promise<() => Promise<void>>;
}

/** Functions that ran each time, and more often than in the idle times. */
async function stepsOf(way: Way, coverage: Coverage): Promise<string[]> {
  for (let index = 0; index < way.warmUps; index += 1) await (await way.prepare())();
  const takes: Calls[] = [];
  const idle: Calls[] = [];
  for (let index = 0; index < TAKES; index += 1) {
    const take = await way.prepare();
    await sleep(300 + 37 * index);
    await coverage.take();
    const from = performance.now();
    await take();
    const tookMs = performance.now() - from;
    takes.push(await coverage.take());
    if (!way.lasts) continue;
    await sleep(1000);
    await coverage.take();
    await sleep(tookMs);
    idle.push(await coverage.take());
  }
  const most = (key: string): number => Math.max(0, ...idle.map((calls) => calls.get(key) ?? 0));
  const least = (key: string): number => Math.min(...takes.map((calls) => calls.get(key) ?? 0));
  return [...(takes[0]?.keys() ?? [])].filter((key) => least(key) > most(key)).sort();
}

const fileOf = (step: string): string => step.split(' ')[0] as string;
const roomOf = (step: string): string => fileOf(step).split('/')[0] as string;
const distinct = (names: readonly string[]): string[] => [...new Set(names)];

function print(name: string, steps: readonly string[]): void {
  console.log(`${name}: ${distinct(steps.map(fileOf)).length} files, ${steps.length} functions`);
  const rooms = distinct(steps.map(roomOf)).map((room) => {
    const inside = steps.filter((step) => roomOf(step) === room);
    return `${room} ${distinct(inside.map(fileOf)).length}/${inside.length}`;
  });
  console.log(`  files/functions by room: ${rooms.join(', ')}`);
  if (!LIST) return;
  for (const file of distinct(steps.map(fileOf))) {
    const names = steps.filter((step) => fileOf(step) === file).map((step) => step.split(' ').slice(1, -1).join(' '));
    console.log(`  ${file}: ${names.join(', ')}`);
  }
}

function waysOf(stack: Stack, account: BenchAccount, template: string): Way[] {
  const headers = authorizationOf(account);
  const send = async (): Promise<string> => {
    const body = { template_name: template, contact_phone: '4915100000000' };
    const answer = await post(`${stack.baseUrl}/api/v1/messages/send`, body, headers);
    return (answer as { message_id: string }).message_id;
  };
  const row = async <T>(sql: string, values: unknown[]): Promise<T> =>
    (await stack.unitOfWork.autocommit.row(sql, values)) as T;
  let firstPhone = 4_915_200_000_000;
  return [
    {
      name: 'send',
      warmUps: WARM_UPS,
      lasts: false,
      prepare: async () => async () => {
        await send();
      },
    },
    {
      name: `campaign to ${RECIPIENTS}`,
      warmUps: 3,
      lasts: true,
      prepare: async () => {
        firstPhone += RECIPIENTS;
        const contacts = Array.from({ length: RECIPIENTS }, (_, index) => ({ phone: String(firstPhone + index) }));
        const order = { name: `Bench ${newRecordId()}`, template_name: template, contacts };
        const { campaign_id: id } = (await post(`${stack.baseUrl}/api/v1/campaigns/`, order, headers)) as {
          campaign_id: string;
        };
        return async () => {
          await post(`${stack.baseUrl}/api/v1/campaigns/${id}/send`, {}, headers);
          for (;;) {
            const { status } = await row<{ status: string }>(
              'SELECT status FROM campaigns WHERE account_id = $1 AND id = $2',
              [account.accountId, id],
            );
            if (status === 'completed') return;
            await sleep(20);
          }
        };
      },
    },
    {
      name: 'status report',
      warmUps: WARM_UPS,
      lasts: false,
      prepare: async () => {
        const id = await send();
        const { networkMessageId } = await row<{ networkMessageId: string }>(
          'SELECT network_message_id FROM messages WHERE account_id = $1 AND id = $2',
          [account.accountId, id],
        );
        const message = { id, network_message_id: networkMessageId, phone_number: '4915100000000' };
        const body = callbackBody(account, 'statuses', [statusReport(message, 'delivered')]);
        return async () => {
          const answer = await fetch(`${stack.baseUrl}/network/callbacks`, {
            method: 'POST',
            headers: signedHeaders(body),
            body,
          });
          if (!answer.ok) throw new Error(`the callback was answered with ${answer.status}`);
        };
      },
    },
  ];
}

const port = await freePort();
const stack = await Stack.start({}, { nodeOptions: [`--inspect=127.0.0.1:${port}`] });
try {
  await stack.simulate('behaviour', { statuses: [], review_delay_ms: 0 });
  const account = await stack.account();
  await stack.template(account, 'bench_ways');
  const coverage = await Coverage.start(port);
  try {
    for (const way of waysOf(stack, account, 'bench_ways')) print(way.name, await stepsOf(way, coverage));
  } finally {
    coverage.stop();
  }
} finally {
  await stack.stop();
}
