import { withExtensions } from '../support/extension-records.js';
import type { TenantRecords } from '../support/module-records.js';
import { World } from '../support/world.js';
import { type DescribedRoute, pathOf, routesOf } from './routes.js';
import { SAMPLES, withRecords } from './tenant-records.js';

let world: World;
let records: TenantRecords;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  records = await withRecords(world, await world.account());
});
afterAll(() => world.stop());

/** An empty list would mean nobody and nowhere, which nobody wants. */
const REFUSED = ['scopes', 'allowed_networks', 'error_codes'];
/** Fields whose empty array counts as what it is. */
const TAKEN = withExtensions('emptyArrays', {
  'POST /api/v1/groups/:group_id/contacts contact_ids': 'changes members instead of creating a record',
  'POST /network/callbacks entry': 'the network decides what it sends',
});

const send = async ({ method, key, path }: DescribedRoute, more: Record<string, unknown>) => {
  const body = { ...SAMPLES[key]?.(records.values), ...more };
  return records.account.api.request(method, pathOf({ path }, records.values), body);
};

it('an empty array counts as absent when a record is created, except scopes, networks and codes (400)', async () => {
  const seen: string[] = [];
  for (const route of routesOf(world).filter(({ method }) => method === 'POST')) {
    for (const field of route.arrays.filter((name) => !(`${route.key} ${name}` in TAKEN))) {
      const { status: absent, body: without } = await send(route, { [field]: undefined });
      const { status, body, text } = await send(route, { [field]: [] });
      seen.push(`${route.key} ${field}`);
      if (REFUSED.includes(field)) expect([route.key, field, status]).toEqual([route.key, field, 400]);
      // What is made twice may conflict with itself.
      else if (absent >= 400 && absent !== 409)
        expect([route.key, field, status, body]).toEqual([route.key, field, absent, without]);
      else if (status >= 300 && status !== 409) throw new Error(`${route.key} with ${field}: []: ${text}`);
    }
  }
  expect(seen).toEqual(
    expect.arrayContaining([
      'POST /api/v1/campaigns contacts',
      'POST /api/v1/campaigns group_ids',
      'POST /api/v1/messages/send button_params',
      'POST /api/v1/messages/send carousel_data',
      'POST /api/v1/templates/create buttons',
      'POST /api/v1/webhooks subscribed_events',
      'POST /api/v1/webhooks/:webhook_id/replay events',
    ]),
  );
});

it('an empty subscribed_events of a PATCH subscribes to all events', async () => {
  const { api } = records.account;
  const path = `/api/v1/webhooks/${records.values.webhook_id}`;
  await api.patch(path, { subscribed_events: ['message.read'] });
  const { status, body } = await api.patch<{ webhook: { subscribed_events: string[] } }>(path, {
    subscribed_events: [],
  });
  expect([status, body.webhook.subscribed_events.length]).toEqual([200, 11]);
});

it('a list whose phone numbers are all invalid is refused naming them (400)', async () => {
  const create = (contacts: { phone: string }[]) =>
    records.account.api.post('/api/v1/campaigns/', {
      name: 'Autumn',
      template_name: records.values.template_name,
      contacts,
    });
  expect(await create([{ phone: '12' }, { phone: 'abc' }])).toMatchObject({
    status: 400,
    body: { message: 'contacts has no valid phone number (got 12, abc)' },
  });
  const many = await create(Array.from({ length: 25 }, (_, index) => ({ phone: `${index}` })));
  expect(many.body).toMatchObject({ message: expect.stringMatching(/ \(got 0, 1, .* 19 and 5 more\)$/) });
});

it('fields that the type of a free-form message does not use are named in X-Ignored-Fields', async () => {
  const ignored = async (body: Record<string, unknown>) => {
    const given = { contact_phone: records.values.contact_phone, ...body };
    return (await records.account.api.post('/api/v1/messages/send-message', given)).headers.get('x-ignored-fields');
  };
  const media_url = 'http://127.0.0.1:1/a.jpg';
  expect(await ignored({ message_type: 'image', media_url, message: 'Look' })).toBe('message');
  expect(await ignored({ message_type: 'image', media_url, message: null })).toBeNull();
  expect(await ignored({ message_type: 'text', message: 'Hello', media_url })).toBe('media_url');
  for (const message_type of ['img', '', undefined, 7]) {
    expect(await ignored({ message_type, message: 'Hello', media_url })).toBeNull();
  }
  expect(await ignored({ message_type: 'text', message: 'Hello', massage: 'Hello', media_url })).toBe(
    'massage,media_url',
  );
});
