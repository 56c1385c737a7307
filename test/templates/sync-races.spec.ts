import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';

interface Listed {
  readonly templates: { readonly id: string; readonly name: string; readonly status: string }[];
}

const CREATE = '/api/v1/templates/create';
const LIST = '/api/v1/templates/';
const SYNC = '/api/v1/templates/sync';
const body = { text: 'Hi {{1}}' };

describe('a sync while templates change (SPEC §6, D74)', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ review: 'manual' });
  });
  afterEach(() => world.simulator.behave({ latency_ms: 0 }));
  afterAll(() => world.stop());

  const graph = async (method: string, path: string, content?: unknown): Promise<{ id: string }> => {
    const response = await fetch(`${world.simulator.url}/v23.0${path}`, {
      method,
      headers: { authorization: 'Bearer test', 'content-type': 'application/json' },
      ...(content === undefined ? {} : { body: JSON.stringify(content) }),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { id: string };
  };
  const makeUpstream = ({ phone }: TestAccount, name: string) =>
    graph('POST', `/${phone.wabaId}/message_templates`, {
      name,
      language: 'en_US',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Hi {{1}}', example: { body_text: [['Ada']] } }],
    });
  const create = async ({ api }: TestAccount, name: string) => {
    const { status, body: created } = await api.post<{ template_id: string; meta_template_id: string }>(CREATE, {
      name,
      category: 'UTILITY',
      body,
    });
    expect(status).toBe(201);
    return created;
  };
  const listed = async ({ api }: TestAccount) => (await api.get<Listed>(LIST)).body.templates;
  /** Waits until a statement of this database waits for a lock. */
  const untilBlocked = () =>
    until('a statement waits for a lock', async () => {
      const rows = await world.unitOfWork.autocommit.rows(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });

  it('never waits for a template with the configuration in its hands: a decision that comes meanwhile is no deadlock', async () => {
    const account = await world.account();
    const { template_id, meta_template_id } = await create(account, 'order');
    await makeUpstream(account, 'new');
    await world.simulator.review(meta_template_id, 'reject', 'SCAM', false);
    const synced = await world.unitOfWork.transaction(async (tx) => {
      // As a status callback does: it has the row, and is about to advance the configuration.
      await tx.row('SELECT 1 FROM templates WHERE account_id = $1 AND id = $2 FOR UPDATE', [
        account.accountId,
        template_id,
      ]);
      const synchronising = account.api.post(SYNC);
      await untilBlocked();
      await tx.affected(
        `UPDATE templates SET status = 'APPROVED', network_status = 'APPROVED', updated_at = clock_timestamp()
         WHERE account_id = $1 AND id = $2`,
        [account.accountId, template_id],
      );
      return { synchronising };
    });
    const { status, body: answer } = await synced.synchronising;
    expect(status).toBe(200);
    expect(answer.summary).toMatchObject({ total_meta_templates: 2, created: 1 });
    // What was decided after the sync had begun is newer than what the sync had read.
    expect((await listed(account)).map(({ name, status: found }) => `${name} ${found}`).sort()).toEqual([
      'new PENDING',
      'order APPROVED',
    ]);
  });
});
