import { createHmac } from 'node:crypto';
import { until } from '../support/until.js';
import { CallbackReceiver } from './callback-receiver.js';
import { CUSTOMER, type GraphErrorBody, PHONE, SECRET, SimulatedNetwork, WABA } from './simulated-network.js';

/** The app that the tests start the simulator with, and its app token. */
const APP = '900100';
const APP_TOKEN = `${APP}|${SECRET}`;
const ALL = ['whatsapp_business_messaging', 'whatsapp_business_management'];

interface Declared {
  code: string;
}

interface Debugged {
  data: { app_id: string; is_valid: boolean; type: string; expires_at: number; scopes: string[] };
}

describe('apps and tokens on the simulated network', () => {
  let network: SimulatedNetwork;

  beforeAll(async () => {
    network = await SimulatedNetwork.start();
  });
  afterAll(() => network.stop());
  beforeEach(() => network.reset());
  afterEach(async () => {
    for (const token of ['token', 'of-900200']) await subscribed('DELETE', token);
  });

  const get = <T>(path: string, token = 'token') =>
    network.call<T & GraphErrorBody>('GET', `/v23.0/${path}`, undefined, { authorization: `Bearer ${token}` });
  const subscribed = (method: string, token = 'token', body?: object) =>
    network.call<{ success?: boolean; data: object[] } & GraphErrorBody>(
      method,
      `/v23.0/${WABA}/subscribed_apps`,
      body,
      { authorization: `Bearer ${token}` },
    );
  const declare = async (token: string, more: object = {}) =>
    (await network.call<Declared>('POST', '/_sim/tokens', { token, ...more })).body;
  const debug = (token: string, asking = APP_TOKEN) => get<Debugged>(`debug_token?input_token=${token}`, asking);
  const sendText = async (): Promise<string> => {
    await network.inbound(CUSTOMER);
    return network.sendText(CUSTOMER);
  };
  const phone = (more: object) =>
    network.call('POST', '/_sim/phones', {
      phone_number_id: PHONE,
      waba_id: WABA,
      display_phone_number: '+49 30 901820',
      ...more,
    });

  it('tells the app, kind, rights and end of a token, to its app only', async () => {
    await declare('mortal', { type: 'USER', expires_at: 1, scopes: ['whatsapp_business_messaging'], wabas: [WABA] });
    expect((await debug('mortal')).body).toMatchObject({
      data: {
        app_id: APP,
        type: 'USER',
        is_valid: false,
        expires_at: 1,
        scopes: ['whatsapp_business_messaging'],
        granular_scopes: [{ scope: 'whatsapp_business_messaging', target_ids: [WABA] }],
        error: { code: 190 },
      },
    });
    expect((await debug('anything')).body.data).toMatchObject({ app_id: APP, is_valid: true, expires_at: 0 });
    expect((await debug('anything', `${APP}|guess`)).body.error.code).toBe(190);
    expect((await debug('anything', 'token')).body.error.code).toBe(190);
  });

  it('refuses what a token has no right to', async () => {
    await declare('no-sends', { scopes: ['whatsapp_business_management'] });
    await declare('elsewhere', { scopes: ALL, wabas: ['1'] });
    await declare('dead', { expires_at: 1 });
    const send = (token: string) =>
      network.call<GraphErrorBody>(
        'POST',
        `/v23.0/${PHONE}/messages`,
        { messaging_product: 'whatsapp', to: CUSTOMER, type: 'text', text: { body: 'hi' } },
        { authorization: `Bearer ${token}` },
      );
    expect((await send('no-sends')).body.error.code).toBe(200);
    expect((await send('elsewhere')).body.error).toMatchObject({ code: 100, error_subcode: 33 });
    expect((await send('dead')).body.error.code).toBe(190);
    expect((await get(PHONE, 'no-sends')).status).toBe(200);
  });

  it('exchanges a code once', async () => {
    const { code } = await declare('from-signup');
    const exchange = (secret = SECRET) =>
      get<{ access_token: string }>(
        `oauth/access_token?client_id=${APP}&client_secret=${encodeURIComponent(secret)}&code=${code}`,
      );
    expect((await exchange('wrong')).body.error.code).toBe(190);
    expect((await exchange()).body.access_token).toBe('from-signup');
    expect((await exchange()).body.error.code).toBe(100);
  });

  it('shows the callback URL and the ticked fields of an app', async () => {
    const subscriptions = () =>
      get<{ data: { callback_url: string; fields: { name: string }[] }[] }>(`${APP}/subscriptions`, APP_TOKEN);
    expect((await subscriptions()).body.data[0]).toMatchObject({
      callback_url: network.receiver.url,
      active: true,
      fields: expect.arrayContaining([{ name: 'messages', version: 'v24.0' }]),
    });
    await network.call('POST', '/_sim/apps', { app_id: APP, fields: ['messages'] });
    expect((await subscriptions()).body.data[0]?.fields.map(({ name }) => name)).toEqual(['messages']);
    expect((await get(`${APP}/subscriptions`)).body.error.code).toBe(190);
  });

  it('sends callbacks to nobody who is not subscribed, if it is strict', async () => {
    const other = await CallbackReceiver.start();
    try {
      await network.behave({ strict_subscription: true });
      const app = { app_id: '900201', secret: 'other-secret', callback_url: other.url, fields: ['messages'] };
      await network.call('POST', '/_sim/apps', app);
      await declare('of-900201', { app_id: '900201' });
      await subscribed('POST', 'of-900201');
      const silent = await sendText();
      // Once the others have heard everything, nothing more is sent to this app.
      await until('the other app has every report', () => other.statusesOf(silent).length >= 3);
      expect((await subscribed('DELETE', 'of-900201')).body).toEqual({ success: true });
      await network.behave({ strict_subscription: true, statuses: ['sent', 'delivered'] });
      expect((await subscribed('POST')).body).toEqual({ success: true });
      const heard = await sendText();
      await until('the first app has both reports', () => network.receiver.statusesOf(heard).length >= 2);
      expect(network.receiver.statusesOf(silent)).toEqual([]);
      expect((await subscribed('GET')).body.data).toMatchObject([{ whatsapp_business_api_data: { id: APP } }]);
      expect((await subscribed('DELETE')).body).toEqual({ success: true });
      expect((await subscribed('GET')).body.data).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  it('sends callbacks to each subscribed app, signed with its secret, and only for ticked fields', async () => {
    const other = await CallbackReceiver.start();
    try {
      const app = { app_id: '900200', secret: 'other-secret', callback_url: other.url, fields: ['messages'] };
      await network.call('POST', '/_sim/apps', app);
      await declare('of-900200', { app_id: '900200' });
      await subscribed('POST', 'of-900200');
      const id = await sendText();
      await until('it has every report', () => other.statusesOf(id).length >= 3);
      for (const { raw, headers } of other.callbacks) {
        const signature = `sha256=${createHmac('sha256', 'other-secret').update(raw).digest('hex')}`;
        expect(headers['x-hub-signature-256']).toBe(signature);
      }
      expect(network.receiver.statusesOf(id)).toEqual([]);
      const unticked = { field: 'account_update', value: { event: 'X' }, waba_id: WABA };
      expect((await network.call('POST', '/_sim/callback', unticked)).body).toEqual({ callback_status: 0 });
      expect(other.changes.filter(({ field }) => field !== 'messages')).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  it('checks the PIN of a registration, and locks after ten tries', async () => {
    await phone({ pin: '123456', registered: false });
    const register = (pin: string) =>
      network.call<GraphErrorBody>('POST', `/v23.0/${PHONE}/register`, { messaging_product: 'whatsapp', pin });
    const state = async () => (await get<{ platform_type: string }>(`${PHONE}?fields=platform_type,status`)).body;
    expect(await state()).toMatchObject({ platform_type: 'NOT_APPLICABLE', status: 'DISCONNECTED' });
    expect((await network.post({ type: 'text', text: { body: 'hi' } })).body.error.code).toBe(133010);
    expect((await register('654321')).body.error.code).toBe(133005);
    expect((await register('123456')).body).toEqual({ success: true });
    expect(await state()).toMatchObject({ platform_type: 'CLOUD_API', status: 'CONNECTED' });
    for (let i = 0; i < 8; i += 1) await register('123456');
    expect((await register('123456')).body.error.code).toBe(133016);
    await phone({});
  });

  it('shows the health and the state that a phone was declared with', async () => {
    const health_status = { can_send_message: 'BLOCKED', entities: [] };
    await phone({ health_status, is_on_biz_app: true, name_status: 'PENDING_REVIEW' });
    expect((await get(`${PHONE}?fields=health_status,is_on_biz_app,name_status`)).body).toMatchObject({
      health_status,
      is_on_biz_app: true,
      name_status: 'PENDING_REVIEW',
    });
    await phone({});
  });

  it('remembers what became of a message, also what it did not report', async () => {
    await network.behave({ drop_rate: 1, statuses: ['sent', 'delivered'] });
    const id = await sendText();
    const history = async () => {
      const path = `${PHONE}/message_history?message_id=${id}&fields=id,message_id,events`;
      const { body } = await get<{ data: { events: { data: object[] } }[] }>(path);
      return body.data[0]?.events.data ?? [];
    };
    await until('both are remembered', async () => (await history()).length >= 2);
    expect(await history()).toMatchObject([
      { delivery_status: 'SENT', webhook_update_state: 'FAILED' },
      { delivery_status: 'DELIVERED', webhook_update_state: 'FAILED' },
    ]);
    expect(network.receiver.statusesOf(id)).toEqual([]);
  });

  it('keeps apps, tokens and subscriptions over a restart', async () => {
    await declare('kept', { app_id: '900200' });
    await subscribed('POST');
    await network.restart();
    expect((await debug('kept')).body.data.app_id).toBe('900200');
    expect((await subscribed('GET')).body.data).toMatchObject([{ whatsapp_business_api_data: { id: APP } }]);
  });
});
