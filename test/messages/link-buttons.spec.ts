import { act, draft, recipientsOf, started, untilCampaign } from '../campaigns/campaigns.js';
import type { LoopbackServer } from '../support/loopback-server.js';
import { SAMPLES } from '../support/media-samples.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, type World } from '../support/world.js';
import { startWithFiles } from '../support/world-with-files.js';
import { openWindow, recordOf, SEND, SEND_MESSAGE, sentUpstream } from './messages.js';

const BASE = 'https://shop.example/t/';
const LINK = { type: 'URL', text: 'Track', url: `${BASE}{{1}}`, url_example: `${BASE}abc` };
/** What completes the URL, and what must arrive at the network. */
const SUFFIXES = [
  ['a b', 'a%20b'],
  ['küche', 'k%C3%BCche'],
  ['"x"', '%22x%22'],
  ['100%', '100%25'],
  ['a%20b', 'a%20b'],
  ['?x=1&y=2', '?x=1&y=2'],
  ['#f', '#f'],
  ['#f#g', '#f%23g'],
  ['{a}[b]', '%7Ba%7D%5Bb%5D'],
  [' a\nb\t', '%20a%0Ab%09'],
] as const;

/** The ends of the URLs in a template's components. */
const suffixesIn = (components: unknown): string[] =>
  [
    ...JSON.stringify(components).matchAll(
      /"sub_type":"url","index":"\d","parameters":\[\{"type":"text","text":("[^"]*")/g,
    ),
  ].map(([, text]) => JSON.parse(text ?? '""') as string);

describe('the URL of a button', () => {
  let world: World;
  let account: TestAccount;
  let server: LoopbackServer;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    ({ world, server, stop } = await startWithFiles({ '/a.png': SAMPLES.PNG }));
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => stop());
  beforeEach(async () => {
    account = await world.account();
  });

  const upstream = async (): Promise<string[]> =>
    (await sentUpstream(world, account.phone)).flatMap(({ template }) =>
      suffixesIn((template as { components?: unknown } | undefined)?.components ?? []),
    );
  const refusal = async (path: string, fields: object): Promise<unknown> => {
    const { status, body } = await account.api.post(path, fields);
    return `${status} ${body['detail'] ?? body['message']}`;
  };
  const params = (url_param: string) => ({ button_params: [{ index: 0, url_param }] });

  it('is percent-encoded in a send, in its record and in its preview', async () => {
    const { name } = await approvedTemplate(world, account, { buttons: [LINK] });
    for (const [given, sent] of SUFFIXES) {
      const values = { template_name: name, ...params(given) };
      const preview = await account.api.post('/api/v1/templates/preview', values);
      const { status, body } = await account.api.post(SEND, { ...values, contact_phone: uniquePhone() });
      const shown = { buttons: [{ type: 'URL', text: 'Track', url: BASE + sent }] };
      expect({ given, status, preview: preview.body['preview'] }).toMatchObject({ given, status: 200, preview: shown });
      expect(await recordOf(account, body['message_id'])).toMatchObject({ rendered: shown });
    }
    expect(await upstream()).toEqual(SUFFIXES.map(([, sent]) => sent));
  });

  it('has one fragment at most', async () => {
    const { name } = await approvedTemplate(world, account, {
      buttons: [{ ...LINK, url: 'https://shop.example/#/{{1}}' }],
    });
    await account.api.post(SEND, { template_name: name, contact_phone: uniquePhone(), ...params('a#b') });
    expect(await upstream()).toEqual(['a%23b']);
  });

  it('is percent-encoded on the cards of a carousel', async () => {
    const media_url = server.url('/a.png');
    const card = { header_format: 'IMAGE', media_url, body_text: 'Nice', buttons: [LINK] };
    const { body } = await account.api.post('/api/v1/templates/create-carousel', {
      name: 'cards',
      body: { text: 'Hello' },
      cards: [card, card],
    });
    await until('the template is approved', async () => {
      const found = await account.api.get(`/api/v1/templates/${body['template_id']}`);
      return found.text.includes('APPROVED');
    });
    const carousel_data = ['a b', 'küche'].map((suffix) => ({ media_url, url_button_params: [suffix] }));
    const sent = await account.api.post(SEND, { template_name: 'cards', contact_phone: uniquePhone(), carousel_data });
    expect(sent.status).toBe(200);
    expect(await upstream()).toEqual(['a%20b', 'k%C3%BCche']);
  });

  it('is percent-encoded in a campaign, whether it is shared or a recipient’s own', async () => {
    const { name } = await approvedTemplate(world, account, { buttons: [LINK] });
    const phone = uniquePhone();
    const id = await started(account, name, [], {
      ...params('für alle'),
      contacts: [{ phone, ...params('für Ada') }, { phone: uniquePhone() }],
    });
    await untilCampaign(account, id, 'completed');
    expect((await upstream()).sort()).toEqual(['f%C3%BCr%20Ada', 'f%C3%BCr%20alle']);
    const own = (await recipientsOf(account, id)).find((recipient) => recipient.contact_phone === phone);
    expect(await recordOf(account, own?.message_id)).toMatchObject({
      rendered: { buttons: [{ url: `${BASE}f%C3%BCr%20Ada` }] },
    });
  });

  it('may be as long as the network lets it when it is percent-encoded', async () => {
    const { name } = await approvedTemplate(world, account, { buttons: [LINK] });
    const fields = { template_name: name, contact_phone: uniquePhone() };
    expect((await account.api.post(SEND, { ...fields, ...params('ü'.repeat(333)) })).status).toBe(200);
    const tooLong = '400 button_params[0].url_param must be at most 2000 characters when percent-encoded (got 2004)';
    expect(await refusal(SEND, { ...fields, ...params('ü'.repeat(334)) })).toBe(tooLong);
    const campaign = { name: 'Autumn', template_name: name, contacts: [{ phone: uniquePhone() }] };
    expect(await refusal('/api/v1/campaigns/', { ...campaign, ...params('ü'.repeat(334)) })).toBe(tooLong);
  });

  describe('has a value beside it that no button takes', () => {
    const VISIT = { type: 'URL', text: 'Visit', url: 'https://shop.example/' };
    const buttons = [{ type: 'QUICK_REPLY', text: 'Yes' }, VISIT, LINK];
    const tracked = { index: 2, url_param: 'A-17' };
    const given = (...others: object[]) => ({ button_params: [...others, tracked] });
    const VISIT_TAKES_NONE = 'url_param must be left out: button 1 ("Visit") is a URL without a variable';

    it('and is refused in sends, previews and new campaigns (400)', async () => {
      const { name: template_name } = await approvedTemplate(world, account, { buttons });
      const send = { template_name, contact_phone: uniquePhone() };
      const visit = given({ index: 1, url_param: 'x' });
      for (const path of [SEND, '/api/v1/templates/preview']) {
        expect(await refusal(path, { ...send, ...visit })).toBe(`400 button_params[0].${VISIT_TAKES_NONE}`);
        for (const wrong of ['url_param', 'coupon_code']) {
          expect(await refusal(path, { ...send, ...given({ index: 0, [wrong]: 'x' }) })).toBe(
            `400 button_params[0].${wrong} must be left out: button 0 ("Yes") is of type QUICK_REPLY, which takes payload`,
          );
        }
      }
      const campaign = { name: 'Autumn', template_name, contacts: [{ phone: uniquePhone() }] };
      expect(await refusal('/api/v1/campaigns/', { ...campaign, ...visit })).toBe(
        `400 button_params[0].${VISIT_TAKES_NONE}`,
      );
      const contacts = [
        { phone: uniquePhone() },
        { phone: uniquePhone(), button_params: [{ index: 1, url_param: 'x' }] },
      ];
      expect(await refusal('/api/v1/campaigns/', { ...campaign, ...given(), contacts })).toBe(
        `400 contacts[1]: button_params[0].${VISIT_TAKES_NONE}`,
      );
      expect(await upstream()).toEqual([]);
    });

    it('and is sent when the value is blank, or has a place', async () => {
      const { name: template_name } = await approvedTemplate(world, account, { buttons });
      const blank = given({ index: 1, url_param: ' ', coupon_code: '' }, { index: 0, payload: 'yes', url_param: '' });
      const { status } = await account.api.post(SEND, { template_name, contact_phone: uniquePhone(), ...blank });
      expect(status).toBe(200);
      expect(await upstream()).toEqual(['A-17']);
    });

    it('and goes out in a campaign whose template was changed after it was created', async () => {
      const { name } = await approvedTemplate(world, account, { buttons });
      const own = { phone: uniquePhone(), button_params: [{ index: 0, payload: 'own' }] };
      const id = await draft(account, name, 0, { contacts: [own, { phone: uniquePhone() }], ...given() });
      await world.unitOfWork.autocommit.affected(
        `UPDATE templates SET components = jsonb_set(components, '{1,buttons,0}', $3) WHERE account_id = $1 AND name = $2`,
        [account.accountId, name, JSON.stringify({ type: 'PHONE_NUMBER', text: 'Call', phone_number: '15550001' })],
      );
      expect((await act(account, id, 'send')).status).toBe(202);
      await untilCampaign(account, id, 'completed');
      expect(await upstream()).toEqual(['A-17', 'A-17']);
      expect((await recipientsOf(account, id)).map(({ status }) => status)).not.toContain('failed');
    });
  });

  it('goes out however long it is in a campaign that was stored before', async () => {
    const { name } = await approvedTemplate(world, account, { buttons: [LINK] });
    const id = await draft(account, name, 1, params('x'));
    const long = 'ü'.repeat(1000);
    await world.unitOfWork.autocommit.affected(
      "UPDATE campaigns SET content = jsonb_set(content, '{buttonParams,0,urlParam}', $3) WHERE account_id = $1 AND id = $2",
      [account.accountId, id, JSON.stringify(long)],
    );
    expect((await act(account, id, 'send')).status).toBe(202);
    await until('the network was asked', async () => (await upstream()).includes('%C3%BC'.repeat(1000)));
  });

  it.each([
    [
      'https://shop.example/a b/{{1}}',
      undefined,
      'url must have " " percent-encoded, as %20 (got https://shop.example/a b/{{1}})',
    ],
    [
      'https://shop.example/küche',
      undefined,
      'url must have "ü" percent-encoded, as %C3%BC (got https://shop.example/küche)',
    ],
    [
      'https://shop.example/t/{{1}} ',
      undefined,
      'url must not end with " ": remove it (got https://shop.example/t/{{1}} )',
    ],
    ['\nhttps://shop.example/', undefined, 'url must not begin with "\\n": remove it (got \\nhttps://shop.example/)'],
    [LINK.url, `${BASE}a\r\n`, `url_example must not end with "\\r\\n": remove it (got ${BASE}a\\r\\n)`],
    [LINK.url, LINK.url, `url_example must have a value in place of {{1}} (got ${LINK.url})`],
    [LINK.url, 'a"b', 'url_example must have "\\"" percent-encoded, as %22 (got a"b)'],
  ])('must be percent-encoded in a template: %s, %s', async (url, url_example, reason) => {
    const button = { ...LINK, url, url_example };
    const body = { text: 'Hello' };
    expect(
      await refusal('/api/v1/templates/create', { name: 'link', category: 'UTILITY', body, buttons: [button] }),
    ).toBe(`422 buttons[0].${reason}`);
    const card = { header_format: 'IMAGE', media_url: server.url('/a.png'), body_text: 'Nice', buttons: [button] };
    expect(await refusal('/api/v1/templates/create-carousel', { name: 'link', body, cards: [card, card] })).toBe(
      `422 cards[0].buttons[0].${reason}`,
    );
  });

  it('must be percent-encoded in a free-form message', async () => {
    const contact_phone = uniquePhone();
    await openWindow(world, account.phone, contact_phone);
    const message = (url: string) => ({
      contact_phone,
      message_type: 'text',
      message: 'Hello',
      buttons: { type: 'cta_url', url_button: { display_text: 'Open', url } },
    });
    expect(await refusal(SEND_MESSAGE, message('https://shop.example/küche'))).toBe(
      '422 buttons.url_button.url must have "ü" percent-encoded, as %C3%BC (got https://shop.example/küche)',
    );
    expect(await refusal(SEND_MESSAGE, message(' https://shop.example/'))).toBe(
      '422 buttons.url_button.url must not begin with " ": remove it (got  https://shop.example/)',
    );
    expect(await refusal(SEND_MESSAGE, message('https://shop.example/\u200b'))).toBe(
      '422 buttons.url_button.url must not end with "\\u200b": remove it (got https://shop.example/\\u200b)',
    );
    expect((await account.api.post(SEND_MESSAGE, message('https://shop.example/k%C3%BCche#f'))).status).toBe(200);
  });
});
