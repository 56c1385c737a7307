import type { MessageRecord } from '../../src/messages/history/message-record.js';
import { inRole } from '../sessions/browser.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { openWindow } from './messages.js';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await World.start();
  account = await world.account();
});
afterAll(() => world.stop());

const sentBy = async (id: string): Promise<MessageRecord['sent_by']> => {
  const { body } = await account.api.get<{ message_record: MessageRecord }>(`/api/v1/messages/${id}`);
  return body.message_record.sent_by;
};

describe('what a person sends in the console', () => {
  it('names them, and that they sent it themselves', async () => {
    const page = await inRole(world, account, 'agent');
    const { body: session } = await page.get<{ user: { user_id: string; full_name: string } }>('/api/v1/session');
    const { user_id, full_name } = session.user;
    const phone = uniquePhone();
    await openWindow(world, account.phone, phone, { text: 'Hello?' });
    const text = { contact_phone: phone, message_type: 'text', message: 'Good morning' };
    const free = await page.post<{ message_id: string }>('/api/v1/messages/send-message', text);
    expect(free.status).toBe(200);
    expect(await sentBy(free.body.message_id)).toEqual({ user_id, name: full_name, source: 'manual' });
    const { name } = await approvedTemplate(world, account, { body: { text: 'Hello' } });
    const template = { contact_phone: uniquePhone(), template_name: name };
    const sent = await page.post<{ message_id: string }>('/api/v1/messages/send', template);
    expect(await sentBy(sent.body.message_id)).toEqual({ user_id, name: full_name, source: 'manual' });
    // Somebody else, for whom they send it, did not.
    const { body: other } = await (await inRole(world, account, 'agent')).get<{ user: { user_id: string } }>(
      '/api/v1/session',
    );
    const named = await page.post<{ message_id: string }>('/api/v1/messages/send-message', {
      ...text,
      agent_user_id: other.user.user_id,
    });
    expect(await sentBy(named.body.message_id)).toMatchObject({ user_id: other.user.user_id, source: 'api' });
    // A key names nobody by itself.
    const byKey = await account.api.post<{ message_id: string }>('/api/v1/messages/send-message', text);
    expect(await sentBy(byKey.body.message_id)).toBeUndefined();
  });
});
