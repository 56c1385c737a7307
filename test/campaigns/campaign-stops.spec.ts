import { randomBytes } from 'node:crypto';
import type { LoggerService } from '@nestjs/common';
import { AccountDirectoryService } from '../../src/accounts/account-directory.service.js';
import { changeOf } from '../inbound/inbound.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { freshDatabase } from '../support/database.js';
import { approvedTemplate } from '../support/templates.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { balanceOf, hurry, untilIdle } from './campaigns.js';

/** How long a campaign that fails for 30 seconds may take to stop on a busy machine, milliseconds. */
const GIVES_UP_WITHIN_MS = 150_000;
/** `Retry-After` of a service that is only busy. */
const BUSY_RETRY_AFTER = '2';

/** Collects log entries of every level. */
class Log implements LoggerService {
  readonly lines: string[] = [];
  readonly log = (...parts: unknown[]) => this.keep(parts);
  readonly warn = (...parts: unknown[]) => this.keep(parts);
  readonly error = (...parts: unknown[]) => this.keep(parts);
  readonly debug = () => undefined;

  about(id: string): string[] {
    return this.lines.filter((line) => line.includes(id));
  }

  private keep(parts: unknown[]): void {
    this.lines.push(parts.join('\n'));
  }
}

interface StoredCampaign {
  readonly status: string;
  readonly failureReason: string | null;
}

describe('a campaign that cannot continue', () => {
  let databaseUrl: string;
  let world: World;
  let log: Log;
  let account: TestAccount;
  let template: { name: string; id: string };

  beforeAll(async () => {
    // Some tests corrupt rows in ways that the schema forbids.
    databaseUrl = await freshDatabase();
    world = await World.start({ databaseUrl });
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account({ credits: 100 });
    template = await approvedTemplate(world, account);
    log = new Log();
    world.parley.app.useLogger(log);
  });

  const create = async (more: Record<string, unknown> = {}, recipients = 3): Promise<string> => {
    const { status, body, text } = await account.api.post<{ campaign_id: string }>('/api/v1/campaigns/', {
      name: 'Stopped',
      template_name: template.name,
      contacts: Array.from({ length: recipients }, () => ({ phone: uniquePhone() })),
      ...more,
    });
    if (status !== 200) throw new Error(text);
    return body.campaign_id;
  };
  const send = async (id: string, api = account.api) => {
    const { status, text } = await api.post(`/api/v1/campaigns/${id}/send`);
    if (status !== 202) throw new Error(text);
  };
  const change = (sql: string, ...parameters: unknown[]) => world.unitOfWork.autocommit.affected(sql, parameters);
  /** Changes rows past foreign keys and triggers, then announces the configuration change to all processes. */
  const breakRows = async (sql: string, ...parameters: unknown[]) => {
    await world.unitOfWork.transaction(async (tx) => {
      await tx.affected('SET LOCAL session_replication_role = replica');
      await tx.affected(sql, parameters);
    });
    await change('UPDATE configuration_epoch SET epoch = epoch + 1');
  };
  const stored = async (id: string): Promise<StoredCampaign> => {
    const row = await world.unitOfWork.autocommit.row<StoredCampaign>(
      'SELECT status, failure_reason FROM campaigns WHERE account_id = $1 AND id = $2',
      [account.accountId, id],
    );
    if (row === null) throw new Error(`campaign ${id} is gone`);
    return row;
  };
  const reasonOf = (id: string) =>
    until('the campaign has stopped', async () => {
      const { status, failureReason } = await stored(id);
      return status === 'failed' ? failureReason : null;
    });
  const pendingOf = async (id: string): Promise<number> => {
    const rows = await world.unitOfWork.autocommit.rows(
      `SELECT FROM campaign_recipients WHERE account_id = $1 AND campaign_id = $2 AND state = 'pending'`,
      [account.accountId, id],
    );
    return rows.length;
  };
  const balance = () => balanceOf(world, account);
  /** Nothing was sent, the credits were refunded, and the recipients wait for the campaign to be resumed. */
  const expectUntouched = async (id: string) => {
    expect(await pendingOf(id)).toBe(3);
    expect(await balance()).toBe(100);
    const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
    expect(ledger.filter(({ template_name }) => template_name === template.name)).toEqual([]);
  };

  describe('because the phone’s token cannot be decrypted', () => {
    let other: World;
    let api: ApiClient;

    beforeAll(async () => {
      // Stops the workers of the first world, which could still send.
      await world.stop();
      world = await World.start({ databaseUrl, env: { PARLEY_ROLES: 'api' } });
      await world.simulator.behave({ statuses: [] });
      other = await World.start({
        databaseUrl,
        env: {
          ENCRYPTION_KEY: randomBytes(32).toString('base64'),
          NETWORK_BASE_URL: world.environment.network.baseUrl,
        },
      });
    });
    afterAll(async () => {
      await other.stop();
      await world.stop();
      world = await World.start({ databaseUrl });
      await world.simulator.behave({ statuses: [] });
    });
    beforeEach(() => {
      other.parley.app.useLogger(log);
      api = new ApiClient(other.baseUrl, account.apiKey);
    });

    it('stops with a reason that says what to do, refunds its credits and logs it once', async () => {
      const id = await create();
      await send(id, api);
      expect(await reasonOf(id)).toBe(
        `business_phones.access_token of ${account.phone.id} cannot be decrypted with the configured key "k1". ` +
          'Start the service with the key that encrypted it in ENCRYPTION_KEY. Resume the campaign once that is done',
      );
      await expectUntouched(id);
      await eventually(() => expect(log.about(id)).toHaveLength(1));
      expect(log.about('Add the key it was encrypted with')).toHaveLength(1);
      expect(log.lines.join('\n')).not.toContain('test-token');
    });

    it('logs one line per account, however many campaigns stop', async () => {
      const ids = await Promise.all([1, 2, 3].map(() => create()));
      for (const id of ids) await send(id, api);
      for (const id of ids) await reasonOf(id);
      expect(log.about('Add the key it was encrypted with')).toHaveLength(1);
      expect(log.about('Add the key it was encrypted with')[0]).toContain(account.accountId);
    });

    it('while single sends and template routes return 503 with the reason and store nothing', async () => {
      const { impatient } = api;
      const send = () =>
        impatient.post('/api/v1/messages/send', { contact_phone: uniquePhone(), template_name: template.name });
      const create = { name: 'another', category: 'UTILITY', body: { text: 'Hello' } };
      /** A busy service may refuse a request for a moment, too, and for another reason. */
      const answerTo = (ask: () => Promise<ApiResponse>) =>
        until('there is an answer that lasts', async () => {
          const answer = await ask();
          return answer.headers.get('retry-after') !== BUSY_RETRY_AFTER && answer;
        });
      const refused = await Promise.all([
        answerTo(send),
        answerTo(send),
        answerTo(() => impatient.post('/api/v1/templates/sync', {})),
        answerTo(() => impatient.post('/api/v1/templates/create', create)),
        answerTo(() => impatient.delete(`/api/v1/templates/${template.id}`)),
      ]);
      for (const { status, body, headers } of refused) {
        expect({ status, body }).toEqual({
          status: 503,
          body: { error: 'unavailable', message: expect.stringContaining('cannot be decrypted') },
        });
        expect(headers.get('retry-after')).toBe('60');
        expect(headers.get('x-message-id')).toBeNull();
      }
      const { body } = await account.api.get<{ total: number }>('/api/v1/messages/');
      expect(body.total).toBe(0);
      expect(log.about('Add the key it was encrypted with')).toHaveLength(1);
      expect(log.about(account.accountId)).toHaveLength(1);
    });

    it('while automatic replies fail immediately as unsent', async () => {
      await change('UPDATE organisations SET auto_reply = $2 WHERE id = $1', account.organisationId, 'Soon');
      const from = uniquePhone();
      const message = {
        from,
        id: `wamid.${from}`,
        timestamp: String(Math.floor(Date.now() / 1000)),
        type: 'text',
        text: { body: 'Hello?' },
      };
      const value = changeOf(account.phone, { contacts: [{ wa_id: from }], messages: [message] });
      expect(await other.simulator.callback('messages', value, account.phone.wabaId)).toMatchObject({
        callback_status: 200,
      });
      const reply = await until('the reply has failed', async () => {
        const { body } = await account.api.get<{ messages: Record<string, unknown>[] }>(
          '/api/v1/messages/?direction=out&status=failed',
        );
        return body.messages[0];
      });
      expect(reply).toMatchObject({
        content: 'Soon',
        error_code: 900003,
        error_message: expect.stringContaining('cannot be decrypted'),
      });
    });
  });

  it('stops when its account is suspended halfway and keeps the other recipients pending', async () => {
    account = await world.account({ credits: 500, throughput: 5 });
    template = await approvedTemplate(world, account);
    const id = await create({}, 400);
    await send(id);
    await until('something was sent', async () => (await pendingOf(id)) < 400);
    await world.parley.app.get(AccountDirectoryService).suspend(account.accountId);
    expect(await reasonOf(id)).toBe('the account is suspended. Have it activated, then resume the campaign');
    await untilIdle(world, account);
    const pending = await pendingOf(id);
    expect(pending).toBeGreaterThan(0);
    expect(await balance()).toBe(100 + pending);
    // The cached account may stay active for up to a second; pausing a stopped campaign changes nothing.
    const pause = () => account.api.post(`/api/v1/campaigns/${id}/pause`);
    await until('the suspension has taken effect', async () => (await pause()).status === 403);
    const resume = () => account.api.post(`/api/v1/campaigns/${id}/resume`);
    expect(await resume()).toMatchObject({ status: 403, body: { error: 'account_suspended' } });
    await world.parley.app.get(AccountDirectoryService).activate(account.accountId);
    await hurry(world, account);
    await until('it is resumed', async () => (await resume()).status === 200);
    await until('the campaign is completed', async () => (await stored(id)).status === 'completed');
    const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
    expect(new Set(ledger.map(({ to }) => to)).size).toBe(400);
    expect(ledger).toHaveLength(400);
  });

  it('stops when its account no longer exists', async () => {
    const id = await create();
    await change('UPDATE campaigns SET paused = true WHERE account_id = $1 AND id = $2', account.accountId, id);
    await send(id);
    await breakRows('DELETE FROM accounts WHERE id = $1', account.accountId);
    await change('UPDATE campaigns SET paused = false WHERE account_id = $1 AND id = $2', account.accountId, id);
    expect(await reasonOf(id)).toBe(`account ${account.accountId} no longer exists, so its campaigns cannot be sent`);
    expect(await pendingOf(id)).toBe(3);
  });

  it.each([
    ['the phone is gone', 'DELETE FROM business_phones WHERE account_id = $1'],
    ['the phone’s business account belongs to no one', 'DELETE FROM business_accounts WHERE account_id = $1'],
  ])('stops when %s', async (_, sql) => {
    const id = await create();
    await change('UPDATE campaigns SET paused = true WHERE account_id = $1 AND id = $2', account.accountId, id);
    await send(id);
    await breakRows(sql, account.accountId);
    await change('UPDATE campaigns SET paused = false WHERE account_id = $1 AND id = $2', account.accountId, id);
    expect(await reasonOf(id)).toBe(
      `business phone ${account.phone.id} no longer belongs to this account. Add it to the account again and resume ` +
        'the campaign, or create a campaign that sends from another phone',
    );
    await expectUntouched(id);
  });

  it('stops when the network has restricted the business in the meantime', async () => {
    const id = await create();
    await change('UPDATE campaigns SET paused = true WHERE account_id = $1 AND id = $2', account.accountId, id);
    await send(id);
    await change(
      'UPDATE business_accounts SET restrictions = $2 WHERE account_id = $1',
      account.accountId,
      '{"DISABLE": {"isInForce": true, "until": null, "detail": "spam", "toldAt": 1}}',
    );
    await change('UPDATE campaigns SET paused = false WHERE account_id = $1 AND id = $2', account.accountId, id);
    expect(await reasonOf(id)).toMatch(
      /disabled by the network: spam\. Once that is lifted, continue with POST \S+\/resume$/,
    );
    await expectUntouched(id);
  });

  it.each([
    ['is deleted', 'deleted_at = now()', 'the template was deleted. Resume the campaign once the template can be sent'],
    [
      'is paused',
      `status = 'PENDING', network_status = 'PAUSED'`,
      'the network says PAUSED). Resume the campaign once',
    ],
    ['is stored in a broken form', `components = '{"body": 1}'`, 'in a broken form. Run POST /api/v1/templates/sync'],
    ['holds something else than components', `components = '[null]'`, 'is stored in a broken form'],
    [
      'needs media that the campaign does not have',
      `components = '[{"type": "HEADER", "format": "IMAGE"}, {"type": "BODY", "text": "Hi"}]'`,
      'requires media_url. The template has changed since the campaign was created',
    ],
  ])('stops when its template %s', async (_, set, reason) => {
    const id = await create();
    await change('UPDATE campaigns SET paused = true WHERE account_id = $1 AND id = $2', account.accountId, id);
    await send(id);
    await change(`UPDATE templates SET ${set} WHERE account_id = $1`, account.accountId);
    await change('UPDATE campaigns SET paused = false WHERE account_id = $1 AND id = $2', account.accountId, id);
    expect(await reasonOf(id)).toContain(reason);
    await expectUntouched(id);
  });

  it('stops when its stored values cannot fill in a template', async () => {
    const id = await create();
    await change('UPDATE campaigns SET paused = true WHERE account_id = $1 AND id = $2', account.accountId, id);
    await send(id);
    await change(
      `UPDATE campaigns SET content = '{}', paused = false WHERE account_id = $1 AND id = $2`,
      account.accountId,
      id,
    );
    expect(await reasonOf(id)).toContain(
      'cannot be rendered with the campaign’s values. Run POST /api/v1/templates/sync',
    );
    await expectUntouched(id);
  });

  it('stops after 30 seconds of unexpected failures, with a reference to the two lines in the log', async () => {
    await change(
      `ALTER TABLE messages ADD CONSTRAINT nothing_new CHECK (template_name <> '${template.name}') NOT VALID`,
    );
    const id = await create();
    const started = Date.now();
    try {
      await send(id);
      const reason = await until(
        'the campaign has stopped',
        async () => (await stored(id)).failureReason,
        GIVES_UP_WITHIN_MS,
      );
      expect(Date.now() - started).toBeGreaterThan(25_000);
      expect(reason).toMatch(/has failed for 30 seconds because of a fault in the service, not in the campaign\./);
      const reference = /the reference ([0-9a-f-]{36}) /.exec(reason)?.[1] ?? 'none';
      await eventually(() => expect(log.about(id)).toHaveLength(2));
      for (const line of log.about(id)) {
        expect(line).toContain(reference);
        expect(line).toContain('nothing_new');
      }
    } finally {
      await change('ALTER TABLE messages DROP CONSTRAINT nothing_new');
    }
    await expectUntouched(id);
  });

  it('continues by itself after database errors, however many, and logs once that it waits', async () => {
    // A sequence also counts claims that are rolled back.
    await change('CREATE SEQUENCE refused_claims');
    await change(
      `CREATE FUNCTION refuse_claim() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN PERFORM nextval('refused_claims'); RAISE EXCEPTION 'too busy' USING ERRCODE = '53300'; END $$`,
    );
    await change(
      `CREATE TRIGGER refuse_claims BEFORE INSERT ON messages
       FOR EACH ROW WHEN (NEW.template_name = '${template.name}') EXECUTE FUNCTION refuse_claim()`,
    );
    const id = await create();
    try {
      await send(id);
      await until('many claims were refused', async () => {
        const row = await world.unitOfWork.autocommit.row<{ claims: number }>(
          'SELECT last_value::integer AS claims FROM refused_claims',
        );
        return (row?.claims ?? 0) > 10;
      });
      expect(await stored(id)).toEqual({ status: 'running', failureReason: null });
      expect(log.about(id)).toEqual([
        `campaign ${id} is waiting and will be retried: too busy\nCampaignFailuresService`,
      ]);
    } finally {
      // Dropping the trigger would deadlock with claims.
      await change(
        'CREATE OR REPLACE FUNCTION refuse_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$',
      );
    }
    await until('the campaign is completed', async () => (await stored(id)).status === 'completed');
    expect(await balance()).toBe(97);
  });
});
