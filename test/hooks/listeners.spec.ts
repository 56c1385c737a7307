import { act as actOnCampaign, draft, started, untilCampaign } from '../campaigns/campaigns.js';
import { act, enrol } from '../conversations/conversations.js';
import { changeOf, envelope, postCallback, receivedBy, unhandledOf } from '../inbound/inbound.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { createProbeTables, dropProbeTables, note, notesOf, Probe, ProbeModule } from './probe.js';

describe('hooks', () => {
  let world: World;
  let account: TestAccount;
  let other: TestAccount;
  let phone: string;
  beforeAll(async () => {
    world = await World.start({ rooms: [ProbeModule], env: { METRICS_PORT: '0' } });
    await dropProbeTables(world);
    await createProbeTables(world);
  });
  afterAll(async () => {
    await dropProbeTables(world);
    await world.stop();
  });
  beforeEach(async () => {
    [account, other] = await Promise.all([world.account(), world.account()]);
    phone = uniquePhone();
  });

  const write = (to: TestAccount, text: string, from = phone): Promise<{ callback_status: number }> =>
    world.simulator.inbound({ phone_number_id: to.phone.phoneNumberId, from, type: 'text', text });
  const contentsOf = async (of: TestAccount): Promise<string[]> => (await receivedBy(of)).map(({ content }) => content);
  const campaign = async (start: typeof draft): Promise<string> => {
    const buttons = [{ type: 'QUICK_REPLY', text: 'Yes' }];
    return start(account, (await approvedTemplate(world, account, { buttons })).name, [phone]);
  };
  const textsOf = async (of: TestAccount): Promise<string[]> =>
    (await notesOf(world, of.accountId)).map((each) => each.note);
  const failuresOf = async (hook: string, name: string): Promise<number> => {
    const text = await (await fetch(`${world.parley.operationsUrl}/metrics`)).text();
    const line = text
      .split('\n')
      .find((each) => each.startsWith(`parley_hook_failures_total{hook="${hook}",class="${name}"}`));
    return Number(line?.split(' ').at(-1) ?? 0);
  };

  /**
   * Notes the transaction of each call of a method: in one that fails, a message is not heard for good.
   *
   * @returns gives the methods that were called in those that committed
   */
  const callsThatCount = (of: TestAccount, methods: readonly string[]): (() => Promise<string[]>) => {
    const calls: { method: string; transaction: string }[] = [];
    for (const method of methods) {
      Probe.let(of.accountId, method, async (tx) => {
        const row = await tx.row<{ transaction: string }>('SELECT pg_current_xact_id()::text AS transaction');
        calls.push({ method, transaction: row?.transaction ?? '' });
      });
    }
    return async () => {
      const committed = await world.unitOfWork.autocommit.rows<{ transaction: string }>(
        `SELECT transaction FROM unnest($1::text[]) AS transaction
         WHERE pg_xact_status(transaction::xid8) = 'committed'`,
        [calls.map(({ transaction }) => transaction)],
      );
      const ids = new Set(committed.map(({ transaction }) => transaction));
      return calls.filter(({ transaction }) => ids.has(transaction)).map(({ method }) => method);
    };
  };

  it('hear of each message once, in all listeners of a kind, and write with it', async () => {
    // A message that the network had to send again was heard in a transaction that failed, too.
    const countedCalls = callsThatCount(account, ['onMessage', 'echo']);
    const failures = await failuresOf('onMessage', 'ProbeInbound');
    await write(account, 'Hello');
    const [message] = await receivedBy(account);
    expect(await countedCalls()).toEqual(['onMessage', 'echo']);
    // It cannot write the same note twice.
    expect(await failuresOf('onMessage', 'ProbeInbound')).toBe(failures);
    expect(Probe.of(account.accountId).slice(-2)).toEqual([
      [
        'onMessage',
        {
          messageId: message?.message_id,
          contactId: message?.contact_id,
          businessPhoneId: account.phone.id,
          messageType: 'text',
          content: 'Hello',
          at: expect.any(Date),
          answers: null,
          campaignId: null,
        },
      ],
      ['echo', 'Hello'],
    ]);
    expect(await textsOf(account)).toEqual(['Hello']);
  });

  it('hear of a tap on a button of a campaign message', async () => {
    const id = await campaign(started);
    await untilCampaign(account, id, 'completed');
    await world.simulator.inbound({
      phone_number_id: account.phone.phoneNumberId,
      from: phone,
      type: 'button',
      button: { payload: 'yes', text: 'Yes' },
      text: 'Yes',
    });
    const tap = Probe.of(account.accountId).find(([method]) => method === 'onTap');
    expect(tap?.[1]).toMatchObject({ campaignId: id, messageType: 'button', button: { text: 'Yes' } });
  });

  it('hear of campaigns that start and end', async () => {
    const id = await campaign(started);
    await untilCampaign(account, id, 'completed');
    const cancelled = await campaign(draft);
    await actOnCampaign(account, cancelled, 'cancel');
    expect(Probe.of(account.accountId)).toEqual([
      ['onStarted', { campaignId: id }],
      ['onEnded', { campaignId: id, status: 'completed' }],
      ['onEnded', { campaignId: cancelled, status: 'cancelled' }],
    ]);
  });

  it('hear of conversations that are assigned, resolved and reopened', async () => {
    await write(account, 'Hello');
    const ada = await enrol(world, account, 'Ada Agent');
    await act(account, 'assign', phone, { user_id: ada });
    await act(account, 'resolve', phone);
    await write(account, 'Again');
    const heard = Probe.of(account.accountId).filter(([method]) => /^on(?:Assigned|Resolved|Reopened)$/.test(method));
    expect(heard).toMatchObject([
      ['onAssigned', { status: 'open', assignedTo: ada, previousAssignee: null, source: 'api' }],
      ['onResolved', { status: 'resolved', assignedTo: ada, source: 'api' }],
      ['onReopened', { status: 'open', assignedTo: ada, source: 'auto_reopen' }],
    ]);
  });

  it.each<[string, Parameters<typeof Probe.let>[2]]>([
    ['throws', () => Promise.reject(new Error('broken'))],
    ['sends bad SQL', (tx) => tx.rows('SELECT nothing FROM nowhere')],
    ['hides its failed SQL', (tx) => tx.rows('SELECT 1/0').catch(() => undefined)],
    ['waits in SQL', (tx) => tx.rows('SELECT pg_sleep(600)')],
    ['waits for something else', () => new Promise(() => undefined)],
    ['commits', (tx) => tx.affected('COMMIT')],
    ['rolls back', (tx) => tx.affected('SELECT 1; ROLLBACK')],
    ['changes its deadline', (tx) => tx.rows("SELECT set_config('statement_timeout', '0', true)")],
    ['writes for all accounts', (tx) => tx.affected("UPDATE contacts SET first_name = 'Mallory'")],
    ['writes what belongs to no account', (tx) => tx.affected("INSERT INTO probe_settings VALUES ('a', 'b')")],
  ])('lose no message when one %s, and undo what it wrote', async (_, mischief) => {
    const before = await failuresOf('onMessage', 'ProbeInbound');
    Probe.let(account.accountId, 'onMessage', mischief);
    expect(await write(account, 'First')).toMatchObject({ callback_status: 200 });
    Probe.let(account.accountId, 'onMessage', null);
    expect(await write(account, 'Second')).toMatchObject({ callback_status: 200 });
    expect(await contentsOf(account)).toEqual(['First', 'Second']);
    expect(await textsOf(account)).toEqual(['Second']);
    // Once for each message, and again for one that the network had to send again.
    const heard = Probe.of(account.accountId).flatMap(([method, facts]) => (method === 'echo' ? [facts] : []));
    expect(new Set(heard)).toEqual(new Set(['First', 'Second']));
    expect(await failuresOf('onMessage', 'ProbeInbound')).toBe(before + heard.indexOf('Second'));
    expect(await unhandledOf(world, account.accountId)).toEqual([]);
  });

  it('cannot write to rows of another account', async () => {
    await write(other, 'Mine');
    const [theirs] = await receivedBy(other);
    for (const mischief of [
      (tx) => note(other.accountId, theirs?.contact_id ?? '', 'not mine', tx),
      (tx) => tx.affected("UPDATE contacts SET first_name = 'Mallory' WHERE account_id = $1", [other.accountId]),
      (tx) => tx.affected(`DELETE FROM probe_notes WHERE account_id = '${other.accountId}'`),
      (tx) => tx.manager.query("UPDATE contacts SET first_name = 'M' WHERE account_id = ANY ($1)", [[other.accountId]]),
    ] satisfies Parameters<typeof Probe.let>[2][]) {
      Probe.let(account.accountId, 'onMessage', mischief);
      await write(account, `Attempt ${uniqueDigits()}`);
    }
    expect(await receivedBy(account)).toHaveLength(4);
    expect(await textsOf(account)).toEqual([]);
    expect(await textsOf(other)).toEqual(['Mine']);
    expect((await receivedBy(other))[0]?.contact_name).toBe(theirs?.contact_name);
  });

  it('hold up no message of another account, not even in the same callback', async () => {
    let release = (): void => undefined;
    let entered = (): void => undefined;
    const inside = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    Probe.let(account.accountId, 'onMessage', () => {
      entered();
      return released;
    });
    const message = (to: TestAccount, text: string) =>
      changeOf(to.phone, {
        messages: [{ id: `wamid.${uniqueDigits()}${text}`, from: phone, type: 'text', text: { body: text } }],
      });
    const both = JSON.parse(envelope(account.phone.wabaId, 'messages', message(account, 'Held')));
    both.entry.push(...JSON.parse(envelope(other.phone.wabaId, 'messages', message(other, 'Free'))).entry);
    const answered = until('the callback is accepted', async () => {
      const { status } = await postCallback(world, JSON.stringify(both));
      return status === 200;
    });
    await inside;
    await until('the other account has its message', async () => (await contentsOf(other)).length === 1);
    release();
    await answered;
    expect(await contentsOf(account)).toEqual(['Held']);
  });

  it('cannot use their transaction after the deadline', async () => {
    let late: Promise<unknown> = Promise.resolve();
    let wakeUp = (): void => undefined;
    Probe.let(account.accountId, 'onMessage', (tx) => {
      const awake = new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
      late = awake.then(() => note(account.accountId, account.accountId, 'late', tx));
      return late;
    });
    await write(account, 'First');
    wakeUp();
    await expect(late).rejects.toThrow('the hook is over');
    expect(await contentsOf(account)).toEqual(['First']);
    expect(await textsOf(account)).toEqual([]);
  });

  it('cannot make the change fail with a statement that they do not wait for', async () => {
    Probe.let(account.accountId, 'onMessage', async (tx) => {
      void tx.rows('SELECT 1/0');
      void note(account.accountId, account.accountId, 'never', tx);
    });
    await write(account, 'First');
    expect(await contentsOf(account)).toEqual(['First']);
  });

  it('let campaigns and conversations go on when they fail', async () => {
    for (const method of ['onStarted', 'onEnded', 'onAssigned']) {
      Probe.let(account.accountId, method, () => Promise.reject(new Error('broken')));
    }
    const id = await campaign(started);
    await untilCampaign(account, id, 'completed');
    const ada = await enrol(world, account, 'Ada Agent');
    await act(account, 'assign', phone, { user_id: ada });
  });
});
