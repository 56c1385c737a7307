import { SeededRandom } from '../../simulator/seeded-random.js';
import { forgetUpstream, upload } from '../media/uploads.js';
import { ApiClient } from '../support/api-client.js';
import { until } from '../support/until.js';
import { CampaignBooks } from './campaign-books.js';
import { type FaultAccount, type FaultService, FaultStack } from './fault-stack.js';
import { say } from './figures.js';
import { pause } from './pause.js';
import { IS_QUICK } from './verdict.js';

jest.setTimeout(900_000);

const QUICK_SEEDS = [1, 2, 3];
/** The long form runs `FAULT_SEEDS` seeds from `FAULT_SEED` on. */
const FIRST_SEED = Number(process.env['FAULT_SEED'] ?? 1);
const LONG_SEEDS = Array.from({ length: Number(process.env['FAULT_SEEDS'] ?? 10) }, (_, place) => FIRST_SEED + place);

const RECIPIENTS = 600;
/** Messages per second, so that a campaign is under way when its file is renewed. */
const THROUGHPUT = 200;

/** What happens in mid-campaign. */
interface Round {
  /** How many messages the network has accepted by then. */
  readonly accepted: number;
  /** The network has forgotten the file, or will soon. */
  readonly loss: 'forgotten' | 'about to be';
  /** How long the upload takes, milliseconds. */
  readonly uploadMs: number;
  /** How long after its begin a process is killed, milliseconds. */
  readonly killAfterMs: number;
  /** Which process, or both. */
  readonly victims: readonly number[];
}

function roundOf(seed: number): Round {
  const random = new SeededRandom(seed);
  const below = (limit: number): number => Math.floor(random.next() * limit);
  const uploadMs = 200 + below(2000);
  return {
    accepted: 1 + below(RECIPIENTS / 2),
    loss: random.chance(0.7) ? 'forgotten' : 'about to be',
    uploadMs,
    killAfterMs: below(uploadMs + 300),
    victims: random.chance(0.3) ? [0, 1] : [below(2)],
  };
}

describe('a campaign whose file is renewed in mid-campaign while processes are killed', () => {
  let stack: FaultStack;
  let services: FaultService[];
  let account: FaultAccount;
  let fileId: string;

  beforeAll(async () => {
    stack = await FaultStack.start({ NETWORK_TIMEOUT_MS: '10000' });
    services = [await stack.mainService(), await stack.service()];
    await stack.simulator.behave({ status_delay_ms: 20, callback_batch: 20 });
  });
  afterAll(() => stack?.stop());

  const main = (): FaultService => {
    const [first] = services;
    if (first === undefined) throw new Error('no service runs');
    return first;
  };

  /** Each round has an account of its own. */
  async function enrol(): Promise<void> {
    await stack.simulator.behave({ upload_fault: null });
    const bare = await stack.bareAccount(main(), { throughput: THROUGHPUT });
    fileId = await upload(bare);
    account = { ...bare, template: await stack.template(bare, { header: { format: 'IMAGE' }, media_id: fileId }) };
  }

  const copies = (): Promise<{ id: string | null; isLeased: boolean }[]> =>
    stack.query(
      `SELECT network_media_id AS id, lease_id IS NOT NULL AS "isLeased" FROM network_copies WHERE file_id = $1`,
      [fileId],
    );

  /** Kills processes and starts others in their place. */
  async function replace(victims: readonly number[]): Promise<void> {
    await Promise.all(victims.map((victim) => services[victim]?.process.kill()));
    for (const victim of victims) services[victim] = await stack.service();
    await stack.callBack(main());
    account = { ...account, api: new ApiClient(main().baseUrl, account.apiKey) };
  }

  async function lose(loss: Round['loss']): Promise<void> {
    if (loss === 'about to be') {
      await stack.query(`UPDATE network_copies SET uploaded_at = now() - interval '29.5 days', refused_at = NULL`);
      return;
    }
    const [copy] = await copies();
    await stack.query('UPDATE network_copies SET refused_at = NULL');
    if (copy?.id != null) await forgetUpstream(stack, copy.id);
  }

  it.each(IS_QUICK ? QUICK_SEEDS : LONG_SEEDS)('loses nobody and sends to nobody twice (seed %i)', async (seed) => {
    const round = roundOf(seed);
    await enrol();
    say(`seed ${seed}: ${JSON.stringify(round)}`);
    const ledger = () => stack.simulator.ledger(account.phone.phoneNumberId);
    const campaign = await stack.campaign(account, RECIPIENTS, { media_id: fileId });
    await until('the campaign is under way', async () => (await ledger()).length >= round.accepted);
    await stack.simulator.behave({ upload_fault: { kind: 'slow', delay_ms: round.uploadMs } });
    await lose(round.loss);
    // A renewal ahead of time begins only where a process learns of the copy anew.
    await until(
      'the upload has begun, or everything is sent without it',
      async () => (await copies()).some(({ isLeased }) => isLeased) || (await ledger()).length >= RECIPIENTS,
    );
    await pause(round.killAfterMs);
    await replace(round.victims);
    const books = new CampaignBooks(stack, account, [campaign]);
    // On a busy machine, what the kill left unknown settles just as the upload's lease ends: nothing moves until then.
    let open = await books.rest(async () => undefined);
    for (let more = 1; more <= 2 && open.length > 0; more += 1) open = await books.rest(async () => undefined);
    const found = [...open, ...(await books.findings())];
    expect({ round, found }).toEqual({ round, found: [] });
    const reached = (await ledger()).map(({ to }) => to);
    expect(new Set(reached).size).toBe(reached.length);
    const failed = await stack.query<{ code: number }>(
      `SELECT error_code AS code FROM messages WHERE campaign_id = $1 AND status = 'failed'`,
      [campaign.id],
    );
    expect(failed.filter(({ code }) => code !== 900002)).toEqual([]);
    expect(reached.length + failed.length).toBe(RECIPIENTS);
  });
});
