import { sentUpstream } from '../messages/messages.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { SAMPLES } from '../support/media-samples.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { act, badRequest, balanceOf, campaignOf, draft, PATIENT, sentTo, started, untilCampaign } from './campaigns.js';

interface ServedFile {
  readonly type: string;
  readonly content: Buffer;
}

const PNG = { type: 'image/png', content: SAMPLES.PNG };
const PDF = { type: 'application/pdf', content: SAMPLES.PDF };
const LATER = '2099-01-31T09:00:00Z';

let world: World;
let server: LoopbackServer;
let account: TestAccount;
/** What the customer's server has now, by path. */
const files = new Map<string, ServedFile>();

beforeAll(async () => {
  world = await World.start({ env: PATIENT });
  await world.simulator.behave({ statuses: [] });
  server = await LoopbackServer.start(({ url = '' }, response) => {
    const file = files.get(url);
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': file.type }).end(file.content);
  });
});
beforeEach(async () => {
  files.clear();
  files.set('/example.png', PNG).set('/example.pdf', PDF).set('/sale.png', PNG);
  account = await world.account({ credits: 100 });
});
afterAll(async () => {
  await world.stop();
  await server.stop();
});

const pictured = () =>
  approvedTemplate(world, account, { header: { format: 'IMAGE' }, media_url: server.url('/example.png') });
const due = (id: string) =>
  world.unitOfWork.autocommit.affected('UPDATE campaigns SET scheduled_at = now() WHERE account_id = $1 AND id = $2', [
    account.accountId,
    id,
  ]);

describe('the media that all recipients of a campaign get', () => {
  it.each([
    ['gone', undefined, 'Media download failed: media_url answered HTTP 404'],
    ['another file', { type: 'image/png', content: SAMPLES.PDF }, /^media_url is application\/pdf: an image must be/],
    [
      'served differently',
      { type: 'application/octet-stream', content: SAMPLES.PNG },
      /^media_url is served as application\/octet-stream: the network takes an image only as image\/jpeg, image\/png/,
    ],
  ])('are looked at again at send: %s is 400, and the campaign stays a draft', async (_, changed, message) => {
    const { name } = await pictured();
    const id = await draft(account, name, 2, { media_url: server.url('/sale.png') });
    if (changed === undefined) files.delete('/sale.png');
    else files.set('/sale.png', changed);
    const { status, body } = await act(account, id, 'send');
    expect({ status, message: body.message }).toEqual(badRequest(message));
    expect(await campaignOf(account, id)).toMatchObject({ campaign_status: 'draft' });
    expect(await balanceOf(world, account)).toBe(100);
    files.set('/sale.png', PNG);
    expect((await act(account, id, 'send')).status).toBe(202);
    await untilCampaign(account, id, 'completed');
  });

  it('are looked at again at the scheduled time: the campaign fails with the reason, and resume sends it', async () => {
    const { name } = await pictured();
    const id = await draft(account, name, 2, { media_url: server.url('/sale.png'), scheduled_at: LATER });
    files.delete('/sale.png');
    await due(id);
    expect(await untilCampaign(account, id, 'failed')).toMatchObject({
      failure_reason:
        'Media download failed: media_url answered HTTP 404. Resume the campaign once the file can be fetched and is ' +
        'one that the network takes',
      sent_count: 0,
    });
    expect(await balanceOf(world, account)).toBe(100);
    const { status, body } = await act(account, id, 'resume');
    expect({ status, message: body.message }).toEqual(badRequest('Media download failed: media_url answered HTTP 404'));
    files.set('/sale.png', PNG);
    expect((await act(account, id, 'resume')).status).toBe(200);
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: 2 });
  });

  it('include the files of a carousel; the message names the card', async () => {
    const card = {
      header_format: 'IMAGE',
      media_url: server.url('/example.png'),
      buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }],
    };
    const name = `c_${Math.random().toString(36).slice(2, 12)}`;
    const created = await account.api.post('/api/v1/templates/create-carousel', {
      name,
      body: { text: 'Look' },
      cards: [card, card],
    });
    expect(created.status).toBe(201);
    await until('it is approved', async () => {
      const { body } = await account.api.get<{ templates: { status: string }[] }>(`/api/v1/templates/?search=${name}`);
      return body.templates[0]?.status === 'APPROVED';
    });
    const carousel_data = ['/example.png', '/sale.png'].map((path) => ({ media_url: server.url(path) }));
    const id = await draft(account, name, 1, { carousel_data });
    files.delete('/sale.png');
    const { status, body } = await act(account, id, 'send');
    expect({ status, message: body.message }).toEqual(
      badRequest('Media download failed: carousel_data[1].media_url answered HTTP 404'),
    );
  });
});

describe('the name of a campaign’s document', () => {
  const namesByPhone = async (): Promise<Record<string, unknown>> => {
    const requests = (await sentUpstream(world, account.phone)) as {
      to: string;
      template: { components: { parameters: { document: { filename?: string } }[] }[] };
    }[];
    return Object.fromEntries(
      requests.map(({ to, template }) => [
        to.replace('+', ''),
        template.components[0]?.parameters[0]?.document.filename,
      ]),
    );
  };
  const documented = () =>
    approvedTemplate(world, account, { header: { format: 'DOCUMENT' }, media_url: server.url('/example.pdf') });
  const DOC = { type: 'application/msword', content: SAMPLES.DOC };

  it.each([
    ['filename wins', { filename: 'Terms.pdf' }, 'Terms.pdf', 'Terms.pdf', 'Terms.pdf'],
    ['else the URL names it, else its type', {}, 'document.pdf', 'own bill.pdf', 'document.doc'],
  ])('%s', async (_, more, shared, own, nameless) => {
    files.set('/', PDF).set('/own%20bill.pdf', PDF).set('/letters/', DOC);
    const { name } = await documented();
    const phones = [uniquePhone(), uniquePhone(), uniquePhone()] as const;
    const id = await started(account, name, [], {
      media_url: server.url('/'),
      contacts: [
        { phone: phones[0] },
        { phone: phones[1], media_url: server.url('/own%20bill.pdf') },
        { phone: phones[2], media_url: server.url('/letters/') },
      ],
      ...more,
    });
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({
      sent_count: 3,
      filename: 'filename' in more ? more.filename : null,
    });
    expect(await namesByPhone()).toEqual({ [phones[0]]: shared, [phones[1]]: own, [phones[2]]: nameless });
  });

  it('comes from the URL of a shared file', async () => {
    files.set('/files/Price%20list.pdf?v=2', PDF);
    const { name } = await documented();
    const phone = uniquePhone();
    const id = await started(account, name, [phone], { media_url: server.url('/files/Price%20list.pdf?v=2') });
    await untilCampaign(account, id, 'completed');
    expect(await namesByPhone()).toEqual({ [phone]: 'Price list.pdf' });
    expect(await sentTo(world, account, name)).toEqual([phone]);
  });
});
