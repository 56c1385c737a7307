import { TemplateReviewService } from '../../src/templates/review/template-review.service.js';
import { ForeignSession } from '../support/foreign-session.js';
import type { TestAccount, World } from '../support/world.js';
import { NetworkBetween } from './network-between.js';
import { CREATE, createUpstream, deleteUpstream, LIST, SYNC } from './upstream.js';

interface Listed {
  readonly templates: { readonly id: string; readonly name: string; readonly status: string }[];
}

const body = { text: 'Hi {{1}}' };

describe('a sync during template changes', () => {
  let network: NetworkBetween;
  let world: World;
  beforeAll(async () => {
    network = await NetworkBetween.start();
    world = network.world;
    await world.simulator.behave({ review: 'manual' });
  });
  afterEach(() => network.stepAside());
  afterAll(() => network.stop());

  const makeUpstream = ({ phone }: TestAccount, name: string) => createUpstream(world.simulator, phone.wabaId, name);
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
  const names = async (account: TestAccount) => (await listed(account)).map(({ name }) => name).sort();
  const sync = async ({ api }: TestAccount) => {
    const { status, body: answer } = await api.post<{ summary: Record<string, number> }>(SYNC);
    expect(status).toBe(200);
    return answer.summary;
  };
  /** Does `work` once, after the account's next list is read and before it is applied. */
  const afterListing = ({ phone }: TestAccount, work: () => Promise<unknown>) => {
    network.beforeAnswer = async ({ method, path }) => {
      if (method !== 'GET' || !path.includes(`/${phone.wabaId}/message_templates?`)) return;
      network.stepAside();
      await work();
    };
  };
  /** Runs until a statement waits for a lock of its own session. In the database, so that nothing comes in between. */
  const AWAIT_BLOCKED = `DO $$ BEGIN
    WHILE NOT EXISTS (
      SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
    ) LOOP PERFORM pg_sleep(0.01); END LOOP;
  END $$`;

  it('cannot deadlock with a concurrent review decision', async () => {
    const account = await world.account();
    const { template_id, meta_template_id } = await create(account, 'order');
    await makeUpstream(account, 'new');
    await world.simulator.review(meta_template_id, 'reject', 'SCAM', false);
    const callback = await ForeignSession.open(world.environment.databaseUrl);
    try {
      // Like a status callback: it has locked the row and is about to advance the configuration.
      await callback.lock('templates', 'account_id = $1 AND id = $2', [account.accountId, template_id]);
      await callback.query(`SET LOCAL statement_timeout = '90s'`);
      const synchronising = account.api.post(SYNC);
      await callback.query(
        `${AWAIT_BLOCKED};
         UPDATE templates SET status = 'APPROVED', network_status = 'APPROVED', updated_at = clock_timestamp()
         WHERE account_id = '${account.accountId}' AND id = '${template_id}';
         COMMIT`,
      );
      const { status, body: answer } = await synchronising;
      expect(status).toBe(200);
      expect(answer.summary).toMatchObject({ total_meta_templates: 2, created: 1 });
    } finally {
      await callback.release();
      await callback.close();
    }
    // A decision made after the sync began is newer than its list.
    expect((await listed(account)).map(({ name, status: found }) => `${name} ${found}`).sort()).toEqual([
      'new PENDING',
      'order APPROVED',
    ]);
  });

  it('does not delete a template created after it has read the list', async () => {
    const account = await world.account();
    await create(account, 'old');
    afterListing(account, () => create(account, 'new'));
    expect(await sync(account)).toMatchObject({ total_meta_templates: 1, skipped: 1, deleted: 0 });
    expect(await names(account)).toEqual(['new', 'old']);
  });

  it('does not restore a template deleted after it has read the list', async () => {
    const account = await world.account();
    const { template_id } = await create(account, 'order');
    await makeUpstream(account, 'other');
    afterListing(account, () => account.api.delete(`${LIST}${template_id}`));
    expect(await sync(account)).toMatchObject({ total_meta_templates: 2, created: 1, deleted: 0 });
    expect(await names(account)).toEqual(['other']);
  });

  it('restores a template that an earlier list lacked', async () => {
    const account = await world.account();
    await create(account, 'order');
    network.intercept = ({ method, path }) =>
      method === 'GET' && path.includes('/message_templates?') ? { json: { data: [] } } : null;
    expect(await sync(account)).toMatchObject({ total_meta_templates: 0, deleted: 1 });
    network.stepAside();
    expect(await sync(account)).toMatchObject({ total_meta_templates: 1, created: 1 });
    expect(await names(account)).toEqual(['order']);
  });

  it('follows a template that was deleted and recreated under the same name', async () => {
    const account = await world.account();
    const { template_id, meta_template_id } = await create(account, 'order');
    await deleteUpstream(world.simulator, account.phone.wabaId, 'order');
    const { id } = await makeUpstream(account, 'order');
    expect(await sync(account)).toMatchObject({ total_meta_templates: 1, updated: 1, created: 0, deleted: 0 });
    expect(await listed(account)).toEqual([expect.objectContaining({ id: template_id, meta_template_id: id })]);
    // A late decision on the former template does not apply to the new one.
    const decision = { event: 'REJECTED', reason: 'SCAM' };
    const late = { metaTemplateId: meta_template_id, toldAt: null, decision, category: null, changeAt: null };
    expect(await world.parley.app.get(TemplateReviewService).applyNotice(account.accountId, late)).toBe(false);
    expect(await listed(account)).toEqual([expect.objectContaining({ status: 'PENDING' })]);
  });

  it('keeps a decision from a callback that arrives after it has read the list', async () => {
    const account = await world.account();
    const { meta_template_id } = await create(account, 'order');
    await world.simulator.review(meta_template_id, 'reject', 'SCAM', false);
    afterListing(account, () => world.simulator.review(meta_template_id, 'approve'));
    expect(await sync(account)).toMatchObject({ total_meta_templates: 1, skipped: 1, updated: 0 });
    expect(await listed(account)).toEqual([expect.objectContaining({ status: 'APPROVED' })]);
  });

  it('is exact after concurrent creations, deletions, decisions and syncs', async () => {
    const account = await world.account();
    const statuses: number[] = [];
    const note = async <Answer extends { status: number }>(work: Promise<Answer>): Promise<Answer> => {
      const answer = await work;
      statuses.push(answer.status);
      return answer;
    };
    const life = async (name: string, end: 'delete' | 'approve' | 'reject') => {
      const created = await note(account.api.post(CREATE, { name, category: 'UTILITY', body }));
      if (end === 'delete') await note(account.api.delete(`${LIST}${created.body.template_id}`));
      else await world.simulator.review(String(created.body.meta_template_id), end, 'SCAM');
    };
    const aside = async (index: number) => {
      await makeUpstream(account, `upstream_${index}`);
      await note(account.api.post(SYNC));
      await note(account.api.get(LIST));
    };
    // In waves: on a slow machine too many requests of one account may be refused briefly.
    for (let wave = 0; wave < 5; wave += 1) {
      const lives = Array.from({ length: 6 }, (_, place) => {
        const index = wave * 6 + place;
        return life(`template_${index}`, (['delete', 'approve', 'reject'] as const)[index % 3] ?? 'delete');
      });
      await Promise.all([...lives, aside(wave * 2), aside(wave * 2 + 1)]);
    }
    expect(statuses.filter((status) => status >= 300)).toEqual([]);

    expect(await sync(account)).toMatchObject({ total_meta_templates: 30, synced: 30 });
    const left = await listed(account);
    expect(left).toHaveLength(30);
    const decided = left.filter(({ name }) => name.startsWith('template_'));
    expect(decided.map(({ name, status }) => `${Number(name.slice(9)) % 3} ${status}`).sort()).toEqual([
      ...Array.from({ length: 10 }, () => '1 APPROVED'),
      ...Array.from({ length: 10 }, () => '2 REJECTED'),
    ]);
    expect(await sync(account)).toEqual({
      total_meta_templates: 30,
      synced: 30,
      created: 0,
      updated: 0,
      skipped: 30,
      deleted: 0,
    });
  });
});
