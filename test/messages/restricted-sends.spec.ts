import { isDeepStrictEqual } from 'node:util';
import { OrganisationsService } from '../../src/accounts/organisations.service.js';
import type { BusinessPhoneListResponse } from '../../src/business-phones/dto/business-phone-list.response.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { openWindow, recordOf, SEND, SEND_MESSAGE, secondsAgo, sentUpstream } from './messages.js';

const BIZ = 'RESTRICTED_BIZ_INITIATED_MESSAGING';
const CUSTOMER = 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING';
const UTILITY = 'RESTRICTED_UTILITY_TEMPLATES';
const LIMITED = 'RATE_LIMITED_UTILITY_TEMPLATE_MESSAGING';

describe('single sends from a restricted phone', () => {
  let world: World;
  let account: TestAccount;
  let contact: string;

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    contact = uniquePhone();
    await openWindow(world, account.phone, contact);
  });

  /** Restricts the phone, and waits until that has taken effect: processes remember phones for up to a second. */
  const restrict = async (...types: readonly string[]): Promise<void> => {
    const restriction_info = types.map((restriction_type) => ({ restriction_type, expiration: secondsAgo(-86_400) }));
    const notice = { event: 'ACCOUNT_RESTRICTION', restriction_info };
    const { callback_status } = await world.simulator.callback('account_update', notice, account.phone.wabaId);
    expect(callback_status).toBe(200);
    await until('it shows', async () => {
      const { body } = await account.api.get<BusinessPhoneListResponse>('/api/v1/business-phones/');
      return body.business_phones[0]?.restriction?.type === types[0];
    });
  };
  const reply = () => account.api.post(SEND_MESSAGE, { contact_phone: contact, message_type: 'text', message: 'Hi' });
  const template = (template_name: string, contact_phone: string) =>
    account.api.post(SEND, { template_name, contact_phone });

  const OK = [200, undefined];
  const REFUSED = [400, 'network_rejected'];

  it.each([
    ['templates outside service windows', [BIZ], { answer: OK, utility: OK, marketing: OK, stranger: REFUSED }],
    ['replies', [CUSTOMER], { answer: REFUSED, utility: OK, marketing: OK, stranger: OK }],
    ['utility templates', [UTILITY], { answer: OK, utility: REFUSED, marketing: OK, stranger: OK }],
    ['utility templates in number', [LIMITED], { answer: OK, utility: REFUSED, marketing: OK, stranger: OK }],
    ['several of these', [BIZ, CUSTOMER], { answer: REFUSED, utility: OK, marketing: OK, stranger: REFUSED }],
  ])('refuses %s, and sends all others', async (_, types, expected) => {
    const { name: utility } = await approvedTemplate(world, account, { category: 'UTILITY' });
    const { name: marketing } = await approvedTemplate(world, account, { category: 'MARKETING' });
    await restrict(...types);
    const sent = await Promise.all([
      reply(),
      template(utility, contact),
      template(marketing, contact),
      template(marketing, uniquePhone()),
    ]);
    const [answer, ...templates] = sent.map(({ status, body }) => [status, body['error']]);
    const [inWindow, other, stranger] = templates;
    expect({ answer, utility: inWindow, marketing: other, stranger }).toEqual(expected);
    const went = Object.values(expected).filter((each) => each === OK).length;
    expect(await sentUpstream(world, account.phone)).toHaveLength(went);
  });

  it('says why, until when, and stores the message as failed', async () => {
    const { name } = await approvedTemplate(world, account, { category: 'UTILITY' });
    await restrict(UTILITY);
    const { body, headers } = await template(name, contact);
    expect(body['message']).toMatch(
      new RegExp(
        `^the network has restricted this business until 20\\S+Z: .*utility templates.* \\(${UTILITY}, 131064\\)$`,
      ),
    );
    expect(await recordOf(account, headers.get('x-message-id'))).toMatchObject({
      status: 'failed',
      error_code: 131064,
      error_message: body['message'],
    });
  });

  it('sends no automatic reply while replies are refused', async () => {
    await world.parley.app.get(OrganisationsService).set(String(account.organisationId), { autoReply: 'Thank you' });
    await restrict(CUSTOMER);
    const writer = uniquePhone();
    const failed = await until('the automatic reply has failed', async () => {
      // The rule is remembered for up to a second, too.
      await openWindow(world, account.phone, writer);
      const { body } = await account.api.get<{ messages: { error_code: number | null; content: string }[] }>(
        '/api/v1/messages/?direction=out&status=failed',
      );
      return body.messages.find(({ content }) => content === 'Thank you');
    });
    expect(failed).toMatchObject({ error_code: 131031 });
    expect(await sentUpstream(world, account.phone)).toEqual([]);
  });

  it('sends again once it is lifted', async () => {
    await restrict(CUSTOMER);
    expect((await reply()).status).toBe(400);
    const lifted = { event: 'ACCOUNT_RESTRICTION', restriction_info: [] };
    await world.simulator.callback('account_update', lifted, account.phone.wabaId);
    // A refusal reads the restriction again.
    await until('it sends', async () => isDeepStrictEqual((await reply()).status, 200));
  });
});
