import {
  act,
  balanceOf,
  campaignOf,
  PATIENT,
  recipientsOf,
  started,
  untilAccepted,
  untilCampaign,
} from '../campaigns/campaigns.js';
import { openWindow, recordOf, report, SEND_MESSAGE } from '../messages/messages.js';
import { crowdOf } from '../support/crowd.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

/**
 * Every code that the network documents, by what a sender does on it, as its documents say; not as Parley's own table
 * says, which this holds against them.
 */
const CODES = {
  retry: [1, 2, 4, 80007, 80008, 130429, 131000, 131016, 131056, 131057, 133004, 134101],
  phone: [
    0, 3, 10, 33, 190, 200, 299, 368, 131005, 131031, 131037, 131042, 131045, 131048, 133000, 133010, 133015, 133016,
  ],
  template: [132001, 132015, 132016, 132068, 132069, 134102],
  category: [131063, 131064],
  message: [
    100, 131008, 131009, 131020, 131021, 131041, 131051, 131052, 131053, 131055, 131062, 131200, 132000, 132005, 132007,
    132012, 132018, 134100, 137000, 138000, 138018, 139000, 139004, 139100, 139103, 147001, 147005, 200005, 200007,
    2388024, 130403, 130472, 130497, 131026, 131030, 131047, 131049, 131050,
  ],
  /** Not documented: they fail the message, and a retry by hand is allowed. */
  unknown: [136000, 555_555],
  /** Our fault in an answer; in a report the network has dropped what it paced, and drops all of the kind. */
  dropped: [135000],
} as const;
type Kind = keyof typeof CODES;
const KINDS = Object.keys(CODES) as Kind[];

const CREDITS = 100;
const RECIPIENTS = 3;
const OPTED_OUT = 131050;
/** The code of a message that the network kept putting off. */
const GAVE_UP = 900_004;
/** Codes that say that the template itself is missing, paused or disabled; the others concern a flow or an API. */
const UNUSABLE_TEMPLATE: ReadonlySet<number> = new Set([132001, 132015, 132016]);
const STOPS: ReadonlySet<Kind> = new Set(['phone', 'template', 'category']);
/** How many codes are tried at once, each in an account of its own. */
const AT_ONCE = 8;

/** Tries all codes of a kind. The error of one that fails names its code. */
async function tryAll(kind: Kind, attempt: (code: number) => Promise<void>): Promise<void> {
  const failures: string[] = [];
  const codes: readonly number[] = CODES[kind];
  await crowdOf(
    codes,
    (code) => attempt(code).catch((error: Error) => void failures.push(`${code}: ${error.message}`)),
    AT_ONCE,
  );
  expect(failures).toEqual([]);
}

describe('what a code does', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start({ env: PATIENT });
  });
  afterAll(() => world.stop());
  beforeEach(() => world.simulator.behave({ statuses: [] }));

  interface Scene {
    readonly account: TestAccount;
    readonly template: { readonly name: string; readonly id: string };
    /** A contact with an open window. */
    readonly contact: string;
  }
  const scene = async (throughput: number): Promise<Scene> => {
    const account = await world.account({ credits: CREDITS, throughput });
    const template = await approvedTemplate(world, account);
    const contact = uniquePhone();
    await openWindow(world, account.phone, contact);
    return { account, template, contact };
  };
  const templateStatus = async ({ account, template }: Scene): Promise<string> =>
    (await account.api.get<{ template: { status: string } }>(`/api/v1/templates/${template.id}`)).body.template.status;
  const optedOut = async ({ account }: Scene, phone: string): Promise<boolean> =>
    (await world.unitOfWork.autocommit.row(
      'SELECT id FROM contacts WHERE account_id = $1 AND phone_number = $2 AND NOT opted_in',
      [account.accountId, phone],
    )) !== null;
  /** The automatic reply to what the contact writes; the rule holds from now on. */
  const automaticReply = async ({ account }: Scene): Promise<string> => {
    const from = uniquePhone();
    await world.unitOfWork.autocommit.affected(
      `UPDATE organisations SET auto_reply = 'We are closed'
       WHERE id = (SELECT organisation_id FROM accounts WHERE id = $1)`,
      [account.accountId],
    );
    await openWindow(world, account.phone, from);
    const row = await until('the reply is stored', () =>
      world.unitOfWork.autocommit.row<{ id: string }>(
        `SELECT m.id FROM messages m JOIN contacts c ON c.account_id = m.account_id AND c.id = m.contact_id
         WHERE m.account_id = $1 AND c.phone_number = $2 AND m.direction = 'out'`,
        [account.accountId, from],
      ),
    );
    return row.id;
  };
  /** Single messages keep their row until the network has had its time to report. */
  const untilCampaignIdle = ({ accountId }: TestAccount) =>
    until('no group of the campaign is in flight', async () => {
      const row = await world.unitOfWork.autocommit.row(
        'SELECT id FROM sends_in_flight WHERE account_id = $1 AND campaign_id IS NOT NULL',
        [accountId],
      );
      return row === null;
    });
  const send = ({ account, contact }: Scene) =>
    account.api.post(SEND_MESSAGE, { contact_phone: contact, message_type: 'text', message: 'Hi' });
  const untilFailed = (account: TestAccount, messageId: unknown) =>
    until('the message has failed', async () => {
      const record = await recordOf(account, messageId);
      return record?.status === 'failed' && record;
    });

  const answered = async (code: number, kind: Kind): Promise<void> => {
    const at = await scene(80);
    const { account, template } = at;
    const [{ phoneNumberId, wabaId, display }] = account.phones as [(typeof account.phones)[number]];
    await world.simulator.addPhone(phoneNumberId, wabaId, display, { error_code: code });
    const [answer, id, replyId] = await Promise.all([
      send(at),
      started(account, template.name, RECIPIENTS),
      automaticReply(at),
    ]);
    expect(answer.status).toBe(kind === 'retry' ? 503 : 400);
    for (const messageId of [answer.headers.get('x-message-id'), replyId]) {
      expect((await untilFailed(account, messageId)).error_code).toBe(kind === 'retry' ? GAVE_UP : code);
    }
    if (kind === 'retry') {
      await until('somebody waits for a retry', async () =>
        (await recipientsOf(account, id)).some(({ message_id }) => message_id !== null),
      );
      expect(await campaignOf(account, id)).toMatchObject({ campaign_status: 'running', failed_count: 0 });
      expect((await act(account, id, 'cancel')).status).toBe(200);
    } else if (STOPS.has(kind)) {
      const { failure_reason, failed_count } = await untilCampaign(account, id, 'failed');
      expect([failure_reason, failed_count]).toEqual([expect.stringMatching(new RegExp(`\\(${code}\\b.*Resume`)), 0]);
      await untilCampaignIdle(account);
      expect((await recipientsOf(account, id)).map(({ status }) => status)).toEqual(Array(RECIPIENTS).fill('pending'));
    } else {
      expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: 0, failed_count: RECIPIENTS });
      const recipients = await recipientsOf(account, id);
      const failure = { error_code: code, retryable: kind === 'unknown' };
      expect(recipients).toMatchObject(Array(RECIPIENTS).fill(failure));
      const isOut = await optedOut(at, String(recipients[0]?.contact_phone));
      expect(isOut).toBe(code === OPTED_OUT);
    }
    expect(await templateStatus(at)).toEqual(
      UNUSABLE_TEMPLATE.has(code) ? expect.not.stringMatching(/^APPROVED$/) : 'APPROVED',
    );
    await until('all credits are back', async () => (await balanceOf(world, account)) === CREDITS);
  };

  const reported = async (code: number, kind: Kind): Promise<void> => {
    const at = await scene(2);
    const { account, template } = at;
    const { phoneNumberId } = account.phone;
    const [single, id, replyId] = [
      await send(at),
      await started(account, template.name, CREDITS),
      await automaticReply(at),
    ];
    const ours = await until('all three are with the network', async () => {
      const ledger = await world.simulator.ledger(phoneNumberId);
      const ofCampaign = ledger.find(({ template_name }) => template_name === template.name);
      const others = [single.body['message_id'], replyId].map((messageId) =>
        ledger.find((entry) => entry.biz_opaque_callback_data === messageId),
      );
      const all = [ofCampaign, ...others].flatMap((entry) => (entry === undefined ? [] : [entry]));
      return all.length === 3 && all;
    });
    for (const entry of ours) await untilAccepted(account, entry);
    const errors = [{ code, title: 'No' }];
    const failed = ours.map((entry) => ({ id: String(entry.id), status: 'failed', errors }));
    expect(await report(world, phoneNumberId, ...failed)).toBe(200);
    for (const { biz_opaque_callback_data: messageId } of ours) {
      expect((await untilFailed(account, messageId)).error_code).toBe(code);
    }
    if (STOPS.has(kind) || kind === 'dropped') {
      const { failure_reason } = await untilCampaign(account, id, 'failed');
      expect(failure_reason).toMatch(new RegExp(`\\(${code}\\b.*Resume`));
    } else {
      const { sent_count } = await campaignOf(account, id);
      await until('the campaign goes on', async () => (await campaignOf(account, id)).sent_count > sent_count);
      expect((await act(account, id, 'cancel')).status).toBe(200);
    }
    await untilCampaignIdle(account);
    const { sent_count, failed_count } = await campaignOf(account, id);
    expect(failed_count).toBe(1);
    await until(
      'who was not sent to costs nothing',
      async () => (await balanceOf(world, account)) === CREDITS - sent_count,
    );
    expect(await optedOut(at, String(ours[0]?.to))).toBe(code === OPTED_OUT);
    expect(await templateStatus(at)).toEqual(
      UNUSABLE_TEMPLATE.has(code) ? expect.not.stringMatching(/^APPROVED$/) : 'APPROVED',
    );
  };

  it.each(KINDS)('in an answer: each one that concerns “%s”', (kind) => tryAll(kind, (code) => answered(code, kind)));
  it.each(KINDS)('in a report: each one that concerns “%s”', (kind) => tryAll(kind, (code) => reported(code, kind)));

  it('is 900009 when a report says that a message failed and gives no code, and stops nothing', async () => {
    const at = await scene(2);
    const { account, template } = at;
    const [single, id] = [await send(at), await started(account, template.name, CREDITS)];
    const entry = await until('the message is with the network', async () =>
      (await world.simulator.ledger(account.phone.phoneNumberId)).find(
        (each) => each.biz_opaque_callback_data === single.body['message_id'],
      ),
    );
    expect(await report(world, account.phone.phoneNumberId, { id: String(entry.id), status: 'failed' })).toBe(200);
    expect((await untilFailed(account, single.body['message_id'])).error_code).toBe(900_009);
    const { sent_count } = await campaignOf(account, id);
    await until('the campaign goes on', async () => (await campaignOf(account, id)).sent_count > sent_count);
    expect((await act(account, id, 'cancel')).status).toBe(200);
  });
});
