import { tokenPlace } from '../../src/accounts/business-phones.service.js';
import { SecretBox } from '../../src/database/secrets/secret-box.js';
import { SINGLE_PATIENCE } from '../../src/sending/judge.js';
import { SECOND } from '../../src/values/clock.js';
import type { LedgerEntry } from '../support/simulator-control.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { eventsOf, kindsOf, NAIVE, recordOf, report, SEND, secondsAgo, UUID, untilStatus } from './messages.js';

const HORIZON_MS = 3600 * SECOND;
/** How long a send may wait for throughput and then for its answer, milliseconds. */
const MAX_SEND_MS = 15 * SECOND;

/** A unique number that ends in the digits of a magic recipient of the simulator. */
const magic = (ending: string): string => `491${uniqueDigits().slice(-5)}${ending}`;

describe('a send', () => {
  let world: World;
  let account: TestAccount;
  let template: { name: string };

  beforeAll(async () => {
    world = await World.start({ env: { UNKNOWN_OUTCOME_HORIZON: String(HORIZON_MS / SECOND) } });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    template = await approvedTemplate(world, account);
    await world.simulator.behave({
      error: null,
      statuses: ['sent', 'delivered', 'read'],
      status_delay_ms: 10,
      max_mps: 0,
    });
  });
  afterEach(() => jest.restoreAllMocks());

  const send = (contact_phone: string) => account.api.post(SEND, { template_name: template.name, contact_phone });
  const ledger = (): Promise<LedgerEntry[]> => world.simulator.ledger(account.phone.phoneNumberId);
  const onlyMessage = async (contact: string) => {
    const { body } = await account.api.get<{ messages: { message_id: string }[] }>(
      `/api/v1/messages/?contact_phone=${contact}`,
    );
    expect(body.messages).toHaveLength(1);
    return recordOf(account, body.messages[0]?.message_id);
  };

  describe('that the network rejects', () => {
    it('is 400 network_rejected in plain words, with X-Message-Id, and stored as failed', async () => {
      const contact = magic('9990002');
      const { status, body, headers } = await send(contact);
      expect(status).toBe(400);
      expect(body).toEqual({
        error: 'network_rejected',
        message: expect.stringMatching(/^the recipient is not on the list of allowed test numbers \(131030: .*\)$/),
      });
      const record = await onlyMessage(contact);
      expect(record).toMatchObject({
        message_id: headers.get('x-message-id'),
        status: 'failed',
        network_message_id: null,
        error_code: 131030,
        error_message: body['message'],
      });
      expect(record.timeline.map(({ status: step }) => step)).toEqual(['pending', 'failed']);
    });

    it('emits message.failed with error_message and error_code', async () => {
      const contact = magic('9990002');
      const { body, headers } = await send(contact);
      expect(await eventsOf(world, account)).toEqual([
        {
          event: 'message.failed',
          timestamp: expect.stringMatching(NAIVE),
          campaign_id: null,
          campaign_name: null,
          message: {
            message_id: headers.get('x-message-id'),
            contact_phone: contact,
            contact_name: expect.stringMatching(/^User #\d{6}$/),
            status: 'failed',
            previous_status: 'pending',
            status_timestamp: expect.stringMatching(NAIVE),
            error_message: body['message'],
            error_code: 131030,
          },
        },
      ]);
    });

    it('is 400 network_rejected when the phone’s token has expired', async () => {
      const { accountId, phone } = account;
      const token = world.parley.app.get(SecretBox).seal('expired', tokenPlace(accountId, phone.id));
      await world.unitOfWork.autocommit.affected(
        'UPDATE business_phones SET access_token = $3 WHERE account_id = $1 AND id = $2',
        [accountId, phone.id, token],
      );
      const answer = await until('the new token is used', async () => {
        const found = await send(uniquePhone());
        return found.status === 400 && found;
      });
      expect(answer.body).toEqual({
        error: 'network_rejected',
        message: expect.stringMatching(/^the access token of the business phone has expired or was revoked \(190: /),
      });
      expect(answer.headers.get('x-message-id')).toMatch(UUID);
    });

    it.each([
      [131026, /cannot be delivered/],
      [131048, /spam/],
      [132000, /number of variables/],
      [999999, /^the network refused the message: .* \(999999\)$/],
    ])('with code %i fails immediately, whether or not the code is listed', async (code, words) => {
      await world.simulator.behave({ error: { code, rate: 1 } });
      const contact = uniquePhone();
      const { status, body } = await send(contact);
      expect([status, body['error']]).toEqual([400, 'network_rejected']);
      expect(body['message']).toMatch(words);
      expect(await onlyMessage(contact)).toMatchObject({ status: 'failed', error_code: code });
    });

    it.each([
      [132015, 'PENDING'],
      [132016, 'REJECTED'],
    ])('because of the template (%i) stops all further sends of that template', async (code, state) => {
      await world.simulator.behave({ error: { code, rate: 1 } });
      expect((await send(uniquePhone())).body['error']).toBe('network_rejected');
      await world.simulator.behave({ error: null });
      expect(await send(uniquePhone())).toMatchObject({
        status: 400,
        body: { error: 'bad_request', message: expect.stringContaining(`is not approved: its status is ${state}`) },
      });
      expect(await ledger()).toEqual([]);
    });

    it('because the contact opted out of marketing (131050) opts the contact out', async () => {
      await world.simulator.behave({ error: { code: 131050, rate: 1 } });
      const contact = uniquePhone();
      expect((await send(contact)).body['error']).toBe('network_rejected');
      const { body } = await account.api.get<{ contacts: { opted_in: boolean }[] }>(
        `/api/v1/contacts/?search=${contact}`,
      );
      expect(body.contacts).toMatchObject([{ opted_in: false }]);
    });
  });

  describe('whose answer is lost', () => {
    /** Lets the horizon of the account's sends pass now. */
    const reachHorizon = () =>
      world.unitOfWork.autocommit.affected('UPDATE sends_in_flight SET settle_at = now() WHERE account_id = $1', [
        account.accountId,
      ]);

    it('is 504 network_timeout with X-Message-Id, pending, and resolved by the status report', async () => {
      await world.simulator.behave({ statuses: [] });
      const contact = magic('9990007');
      const { status, body, headers } = await send(contact);
      expect(status).toBe(504);
      expect(body).toEqual({ error: 'network_timeout', message: expect.stringContaining('not sent again') });
      const id = headers.get('x-message-id');
      expect(await recordOf(account, id)).toMatchObject({ status: 'pending', network_message_id: null });
      const accepted = await ledger();
      expect(accepted).toMatchObject([{ to: contact, biz_opaque_callback_data: id }]);
      for (const step of ['sent', 'delivered', 'read']) {
        const named = { id: String(accepted[0]?.id), biz_opaque_callback_data: String(id) };
        expect(await report(world, account.phone.phoneNumberId, { ...named, status: step })).toBe(200);
      }
      const record = await untilStatus(account, id, 'read');
      expect(record).toMatchObject({ network_message_id: accepted[0]?.id, error_code: null });
      expect(await kindsOf(world, account)).toEqual(['message.sent', 'message.delivered', 'message.read']);
    });

    it('fails with 900002 after the horizon when no report comes, and is never sent again', async () => {
      const contact = magic('9990008');
      const before = Date.now();
      const { status, headers } = await send(contact);
      const after = Date.now();
      expect(status).toBe(504);
      const row = await world.unitOfWork.autocommit.row<{ settleAt: Date }>(
        'SELECT min(settle_at) AS settle_at FROM sends_in_flight WHERE account_id = $1',
        [account.accountId],
      );
      expect(row?.settleAt.getTime()).toBeGreaterThanOrEqual(before + HORIZON_MS);
      expect(row?.settleAt.getTime()).toBeLessThanOrEqual(after + HORIZON_MS + MAX_SEND_MS);
      await reachHorizon();
      const record = await untilStatus(account, headers.get('x-message-id'), 'failed');
      expect(record).toMatchObject({ error_code: 900002, error_message: expect.stringContaining('never said') });
      expect(await eventsOf(world, account)).toMatchObject([
        { event: 'message.failed', message: { previous_status: 'pending', error_code: 900002 } },
      ]);
      expect(await ledger()).toHaveLength(1);
    });

    it('and that failed by the horizon is corrected by a later report', async () => {
      const contact = magic('9990008');
      const { headers } = await send(contact);
      const id = String(headers.get('x-message-id'));
      await reachHorizon();
      await untilStatus(account, id, 'failed');
      const [accepted] = await ledger();
      await world.simulator.callback('messages', {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: '1', phone_number_id: account.phone.phoneNumberId },
        statuses: [
          { id: accepted?.id, status: 'delivered', timestamp: String(secondsAgo(0)), biz_opaque_callback_data: id },
        ],
      });
      const record = await recordOf(account, id);
      expect(record).toMatchObject({ status: 'delivered', error_code: null, error_message: null });
      expect(record.timeline.map(({ status }) => status)).toEqual(['pending', 'delivered']);
      expect(await eventsOf(world, account)).toMatchObject([
        { event: 'message.failed', message: { previous_status: 'pending' } },
        { event: 'message.sent', message: { previous_status: 'failed', status: 'sent' } },
        { event: 'message.delivered', message: { previous_status: 'sent', status: 'delivered' } },
      ]);
    });
  });

  describe('that the network throttles', () => {
    it('is retried within the request', async () => {
      jest.replaceProperty(SINGLE_PATIENCE, 'spanMs', 60 * SECOND);
      await world.simulator.behave({ error: { code: 130429, rate: 1 } });
      const sending = send(uniquePhone());
      await until('it was throttled', async () => {
        const requests = await world.simulator.requests(account.phone.phoneNumberId);
        return requests.some(({ path }) => path.endsWith('/messages'));
      });
      await world.simulator.behave({ error: null });
      expect((await sending).status).toBe(200);
      expect(await ledger()).toHaveLength(1);
    });

    it('is 503 network_unavailable with Retry-After after 5 seconds, and failed because it was not sent', async () => {
      await world.simulator.behave({ error: { code: 130429, rate: 1 } });
      const contact = uniquePhone();
      const begun = Date.now();
      const { status, body, headers } = await send(contact);
      expect(Date.now() - begun).toBeGreaterThan(2000);
      expect(status).toBe(503);
      expect(body).toEqual({
        error: 'network_unavailable',
        message: expect.stringMatching(/^the message was not sent: .*faster than the network allows/),
      });
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(await onlyMessage(contact)).toMatchObject({
        message_id: headers.get('x-message-id'),
        status: 'failed',
        error_code: 900004,
      });
      expect(await ledger()).toEqual([]);
    });

    it('because of the pair rate (131056) waits four seconds and goes out once', async () => {
      // A first attempt that takes more than a second leaves no time for another.
      jest.replaceProperty(SINGLE_PATIENCE, 'spanMs', 60 * SECOND);
      const contact = magic('9990006');
      const begun = Date.now();
      expect((await send(contact)).status).toBe(200);
      expect(Date.now() - begun).toBeGreaterThanOrEqual(4000);
      expect((await ledger()).map(({ to }) => to)).toEqual([contact]);
    });
  });
});
