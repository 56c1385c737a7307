import { CampaignPumpsService } from '../../src/campaigns/run/campaign-pumps.service.js';
import { act, campaignOf, draft, started, untilCampaign, untilIdle } from '../campaigns/campaigns.js';
import { SEND } from '../messages/messages.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { createUpstream, LIST, SYNC, uploadUpstream } from './upstream.js';

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly unsupported?: string[];
}

const BODY = { type: 'BODY', text: 'Hello' };
const OPEN_BODY = { type: 'BODY', text: 'Hi {{1}}', example: { body_text: [['Ada']] } };
const buttons = (...list: object[]) => ({ type: 'BUTTONS', buttons: list });
const product = { type: 'HEADER', format: 'PRODUCT' };
const view = buttons({ type: 'SPM', text: 'View' });

describe('a template with parts that Parley cannot fill in', () => {
  let world: World;
  let account: TestAccount;
  let video: string;
  let image: string;

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ review_delay_ms: 0, statuses: [] });
    video = await uploadUpstream(world.simulator, 'video/mp4');
    image = await uploadUpstream(world.simulator, 'image/png');
  });
  beforeEach(async () => {
    account = await world.account({ credits: 1000, throughput: 50 });
  });
  afterEach(() => world.simulator.behave({ error: null }));
  afterAll(() => world.stop());

  const templates = async (): Promise<Shown[]> => (await account.api.get<{ templates: Shown[] }>(LIST)).body.templates;
  const sync = async () => expect((await account.api.post(SYNC)).status).toBe(200);
  const send = (name: string) => account.api.post(SEND, { template_name: name, contact_phone: uniquePhone() });
  const message = (name: string, parts: string) =>
    `template ${name} (en_US) has parts that Parley cannot fill in: ${parts}`;
  const refused = (name: string, parts: string) => ({
    status: 400,
    body: { error: 'bad_request', message: message(name, parts) },
  });
  /** The network's own manager adds a button to a template. */
  const edit = async (name: string) => {
    const { id } = await world.simulator.hold(account.phone.wabaId, name, [
      BODY,
      buttons({ type: 'MPM', text: 'View' }),
    ]);
    await sync();
    return id;
  };
  const gif = (handle: string) => ({ type: 'HEADER', format: 'GIF', example: { header_handle: [handle] } });
  const card = (handle: string) => ({
    components: [
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } },
      OPEN_BODY,
      buttons({ type: 'QUICK_REPLY', text: 'More' }),
    ],
  });

  const kinds: Record<string, [parts: string[], components: () => object[]]> = {
    order: [['BUTTON:ORDER_DETAILS'], () => [BODY, buttons({ type: 'ORDER_DETAILS', text: 'Review and pay' })]],
    products: [['BUTTON:MPM'], () => [BODY, buttons({ type: 'MPM', text: 'View items' })]],
    catalog: [['BUTTON:CATALOG'], () => [BODY, buttons({ type: 'CATALOG', text: 'View catalog' })]],
    call: [['BUTTON:VOICE_CALL'], () => [BODY, buttons({ type: 'VOICE_CALL', text: 'Call us' })]],
    number: [['BUTTON:REQUEST_CONTACT_INFO'], () => [BODY, buttons({ type: 'REQUEST_CONTACT_INFO' })]],
    moving: [['HEADER:GIF'], () => [gif(video), BODY]],
    product: [['HEADER:PRODUCT', 'BUTTON:SPM'], () => [product, BODY, view]],
    permission: [['COMPONENT:CALL_PERMISSION_REQUEST'], () => [BODY, { type: 'CALL_PERMISSION_REQUEST' }]],
    product_cards: [
      ['CARD_HEADER:PRODUCT', 'CARD_BUTTON:SPM'],
      () => [BODY, { type: 'CAROUSEL', cards: [1, 2].map(() => ({ components: [product, view] })) }],
    ],
    card_variables: [['CARD_BODY:{{1}}'], () => [BODY, { type: 'CAROUSEL', cards: [card(image), card(image)] }]],
  };

  it.each(Object.keys(kinds))('names them and refuses sends and campaigns with it: %s (400)', async (name) => {
    const [parts, components] = kinds[name] ?? [[], () => []];
    await createUpstream(world.simulator, account.phone.wabaId, name, components(), 'MARKETING');
    await until('it is approved', async () => {
      await sync();
      return (await templates())[0]?.status === 'APPROVED';
    });
    expect(await templates()).toMatchObject([{ name, unsupported: parts }]);
    expect(await send(name)).toMatchObject(refused(name, parts.join(', ')));
    const campaign = { name: 'Autumn', template_name: name, contacts: [{ phone: uniquePhone() }] };
    expect(await account.api.post('/api/v1/campaigns/', campaign)).toMatchObject(refused(name, parts.join(', ')));
    expect(await world.simulator.ledger(account.phone.phoneNumberId)).toEqual([]);
    expect((await account.api.post('/api/v1/templates/preview', { template_name: name })).body).toMatchObject({
      preview: { unsupported: parts },
    });
  });

  it('may have kinds that nobody knows yet', async () => {
    await world.simulator.hold(account.phone.wabaId, 'new', [
      { type: 'HEADER', format: 'HOLOGRAM' },
      BODY,
      buttons({ type: 'TELEPORT', text: 'Go' }),
      { type: 'SCENT', scent: 'rose' },
    ]);
    await sync();
    const parts = ['HEADER:HOLOGRAM', 'BUTTON:TELEPORT', 'COMPONENT:SCENT'];
    expect(await templates()).toMatchObject([{ unsupported: parts }]);
    expect(await send('new')).toMatchObject(refused('new', parts.join(', ')));
  });

  it('says nothing about a template that can be sent', async () => {
    const { id, name } = await approvedTemplate(world, account);
    expect((await templates())[0]).not.toHaveProperty('unsupported');
    expect((await account.api.get<{ template: Shown }>(LIST + id)).body.template).not.toHaveProperty('unsupported');
    expect((await send(name)).status).toBe(200);
  });

  it('sends one-time codes to apps of their own as to the clipboard', async () => {
    const apps = [{ package_name: 'com.example.app', signature_hash: 'K8a/AINcGX7' }];
    const otp = { type: 'OTP', otp_type: 'ONE_TAP', text: 'Copy', supported_apps: apps };
    await createUpstream(
      world.simulator,
      account.phone.wabaId,
      'code',
      [{ type: 'BODY' }, buttons(otp)],
      'AUTHENTICATION',
    );
    await until('it is approved', async () => {
      await sync();
      return (await templates())[0]?.status === 'APPROVED';
    });
    const order = { template_name: 'code', contact_phone: uniquePhone(), body_data: { '1': '123456' } };
    expect((await account.api.post(SEND, order)).status).toBe(200);
  });

  it('is found without a sync when it was stored before: the answer is derived from what is stored', async () => {
    const { id, name } = await approvedTemplate(world, account);
    expect((await send(name)).status).toBe(200);
    const components = [BODY, buttons({ type: 'CATALOG', text: 'View catalog' })];
    await world.unitOfWork.autocommit.affected(
      'UPDATE templates SET components = $3 WHERE account_id = $1 AND id = $2',
      [account.accountId, id, JSON.stringify(components)],
    );
    expect((await account.api.get<{ template: Shown }>(LIST + id)).body.template.unsupported).toEqual([
      'BUTTON:CATALOG',
    ]);
    const answer = await until('it is refused', async () => {
      const sent = await send(name);
      return sent.status === 400 && sent;
    });
    expect(answer).toMatchObject(refused(name, 'BUTTON:CATALOG'));
  });

  it('keeps a draft from being sent, and a scheduled campaign from starting', async () => {
    const { name } = await approvedTemplate(world, account);
    const later = await draft(account, name, 2, { scheduled_at: '2099-01-31T09:00:00Z' });
    const unsent = await draft(account, name, 2);
    await edit(name);
    expect(await act(account, unsent, 'send')).toMatchObject(refused(name, 'BUTTON:MPM'));
    expect(await campaignOf(account, unsent)).toMatchObject({ campaign_status: 'draft' });
    await world.unitOfWork.autocommit.affected(
      'UPDATE campaigns SET scheduled_at = now() WHERE account_id = $1 AND id = $2',
      [account.accountId, later],
    );
    expect(await untilCampaign(account, later, 'failed')).toMatchObject({
      failure_reason: `${message(name, 'BUTTON:MPM')}. Resume the campaign once the template can be sent, or create one with another template`,
    });
    for (const action of ['resume', 'retry-failed'] as const) {
      expect(await act(account, later, action)).toMatchObject(refused(name, 'BUTTON:MPM'));
    }
    expect(await world.simulator.ledger(account.phone.phoneNumberId)).toEqual([]);
  });

  it('keeps a paused campaign paused, and stops a running one, which loses nobody', async () => {
    // So slow that it is paused long before its end.
    account = await world.account({ credits: 1000, throughput: 1 });
    const { name } = await approvedTemplate(world, account);
    const id = await started(account, name, 300);
    await until('something was sent', async () => (await campaignOf(account, id)).sent_count > 0);
    expect((await act(account, id, 'pause')).status).toBe(200);
    await untilIdle(world, account);
    // Until then it may send the template as it has read it.
    const pumps = world.parley.app.get(CampaignPumpsService);
    await until('its run has ended', () => !pumps.campaignIds.includes(id));
    await edit(name);
    expect(await act(account, id, 'resume')).toMatchObject(refused(name, 'BUTTON:MPM'));
    expect(await campaignOf(account, id)).toMatchObject({ campaign_status: 'running', paused: true });
    await world.unitOfWork.autocommit.affected(
      'UPDATE campaigns SET paused = false WHERE account_id = $1 AND id = $2',
      [account.accountId, id],
    );
    const { failure_reason } = await untilCampaign(account, id, 'failed');
    expect(failure_reason).toContain(message(name, 'BUTTON:MPM'));
    await untilIdle(world, account);

    await world.unitOfWork.autocommit.affected('UPDATE business_phones SET throughput = 50 WHERE account_id = $1', [
      account.accountId,
    ]);
    // The button is taken away again.
    await world.simulator.hold(account.phone.wabaId, name, [BODY]);
    await sync();
    expect((await act(account, id, 'resume')).status).toBe(200);
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: 300, failed_count: 0 });
  });

  it('stops a campaign that would send everybody the same FLOW token', async () => {
    const { name } = await approvedTemplate(world, account);
    const id = await draft(account, name, 2);
    const flow = buttons({ type: 'FLOW', text: 'Book', flow_id: '7', flow_action: 'navigate' });
    await world.simulator.hold(account.phone.wabaId, name, [BODY, flow]);
    await sync();
    expect((await send(name)).status).toBe(200);
    expect(await act(account, id, 'send')).toMatchObject({
      status: 400,
      body: { message: `template ${name} has a FLOW button, which campaigns do not support` },
    });
  });

  it('can be no limited-time offer with another header than an image or a video (422)', async () => {
    const offer = {
      name: 'offer',
      category: 'MARKETING',
      body: { text: 'Hello' },
      limited_time_offer: { text: 'Ends soon' },
      offer_code: 'SAVE10',
      buttons: [{ type: 'COPY_CODE' }],
    };
    const create = (header: object) => account.api.post('/api/v1/templates/create', { ...offer, header });
    expect(await create({ format: 'TEXT', text: 'Sale' })).toMatchObject({
      status: 422,
      body: {
        detail: 'header.format must be IMAGE or VIDEO, or header left out, when limited_time_offer is set (got TEXT)',
      },
    });
    expect((await create({ format: 'LOCATION' })).status).toBe(422);
  });
});
