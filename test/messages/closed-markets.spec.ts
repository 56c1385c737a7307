import { userIdOf } from '../../simulator/callbacks/user-ids.js';
import {
  balanceOf,
  campaignOf,
  draft,
  expectBooksBalanced,
  recipientsOf,
  started,
  untilCampaign,
} from '../campaigns/campaigns.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { kindsOf, SEND, sentUpstream } from './messages.js';

const CREDITS = 100;
const own = (areaCode: string): string => `1${areaCode}5${uniqueDigits().slice(-6)}`;
/** Numbers of the United States. */
const american = (): string => own('415');
const canadian = (): string => own('416');
const tollFree = (): string => own('800');

describe('a MARKETING template to a number of the United States', () => {
  let world: World;
  let account: TestAccount;
  let template: { name: string };

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
  });
  beforeEach(async () => {
    account = await world.account({ credits: CREDITS });
    template = await approvedTemplate(world, account, { category: 'MARKETING' });
  });
  afterAll(() => world.stop());

  const send = (fields: Record<string, unknown>) => account.api.post(SEND, { template_name: template.name, ...fields });
  const closed = (contact: string) => ({
    status: 400,
    body: {
      error: 'marketing_closed',
      message:
        `contact ${contact} has a number of the United States, where the network delivers no MARKETING templates. ` +
        'Send a UTILITY template instead, or reply within the service window (900007)',
    },
  });
  const nothingSent = async () => {
    expect(await sentUpstream(world, account.phone)).toEqual([]);
    expect((await account.api.get('/api/v1/messages/')).body).toMatchObject({ total: 0 });
  };

  /** Somebody writes, with or without their number. */
  const knows = (from_user_id: string, from?: string) =>
    world.simulator.inbound({
      phone_number_id: account.phone.phoneNumberId,
      type: 'text',
      text: 'Hi',
      from_user_id,
      ...(from === undefined ? {} : { from }),
    });

  it('is refused as a single send, and nothing is stored', async () => {
    const contact_phone = american();
    expect(await send({ contact_phone })).toMatchObject(closed(contact_phone));
    await nothingSent();
    expect((await account.api.get('/api/v1/contacts/')).body).toMatchObject({ total: 0 });
  });

  it('is refused for an opt-out first', async () => {
    const contact_phone = american();
    await world.simulator.inbound({
      phone_number_id: account.phone.phoneNumberId,
      type: 'text',
      text: 'STOP',
      from: contact_phone,
    });
    expect(await send({ contact_phone })).toMatchObject({ status: 400, body: { error: 'contact_opted_out' } });
  });

  it('goes to Canada, to toll-free numbers and to everybody else; other categories also go to the United States', async () => {
    for (const contact_phone of [canadian(), tollFree(), own('787'), uniquePhone()]) {
      expect((await send({ contact_phone })).status).toBe(200);
    }
    const utility = await approvedTemplate(world, account);
    expect((await send({ template_name: utility.name, contact_phone: american() })).status).toBe(200);
  });

  it('is refused for a user id by the number that is known, else by the country of the id', async () => {
    const [american_id, other_id] = [`US.${uniqueDigits()}`, `DE.${uniqueDigits()}`];
    expect(await send({ contact_user_id: american_id })).toMatchObject(closed(american_id));
    await nothingSent();
    await knows(other_id);
    expect((await send({ contact_user_id: other_id })).status).toBe(200);
    const [moved, number] = [`DE.${uniqueDigits()}`, american()];
    await world.simulator.person({ number, user_id: moved });
    await knows(moved, number);
    const german = uniquePhone();
    const stays = userIdOf(german);
    expect(stays).toMatch(/^US\./);
    await knows(stays, german);
    expect(await send({ contact_user_id: moved })).toMatchObject(closed(moved));
    expect((await send({ contact_user_id: stays })).status).toBe(200);
  });

  it('fails for the recipient of a campaign before it is sent, with the credit returned', async () => {
    const phones = [american(), uniquePhone(), canadian(), american()];
    const id = await started(account, template.name, phones);
    await untilCampaign(account, id, 'completed');
    const failed = {
      status: 'failed',
      error_code: 900007,
      error_message: expect.stringMatching(/United States/),
      retryable: false,
    };
    expect(await recipientsOf(account, id)).toMatchObject([failed, { status: 'sent' }, { status: 'sent' }, failed]);
    expect(await campaignOf(account, id)).toMatchObject({ sent_count: 2, failed_count: 2 });
    expect(await sentUpstream(world, account.phone)).toHaveLength(2);
    expect(await balanceOf(world, account)).toBe(CREDITS - 2);
    await expectBooksBalanced(world, account, id, CREDITS);
    const kinds = (await kindsOf(world, account)).sort();
    expect(kinds).toEqual(['message.failed', 'message.failed', 'message.sent', 'message.sent']);
    const { body } = await account.api.get(`/api/v1/campaigns/${id}/failures`);
    expect(body['failures']).toEqual([
      {
        error_code: 900007,
        title: 'The network delivers no marketing messages to numbers of the United States; the message was not sent',
        advice: 'Send a UTILITY template, or reach the person in another way. Their credits were returned.',
        count: 2,
        retryable: false,
        retry_after: null,
      },
    ]);
    const retry = await account.api.post(`/api/v1/campaigns/${id}/retry-failed`, { error_codes: [900007] });
    expect([retry.status, retry.body['message']]).toEqual([
      400,
      'error_codes: another attempt would not help recipients who failed with 900007',
    ]);
  });

  it('does not keep a campaign from being created', async () => {
    expect(await draft(account, template.name, [american()])).toEqual(expect.any(String));
  });
});
