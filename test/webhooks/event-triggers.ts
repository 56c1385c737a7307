import { act, enrol } from '../conversations/conversations.js';
import { openWindow, recordOf, report, SEND, SEND_MESSAGE, untilStatus } from '../messages/messages.js';
import { withExtensions } from '../support/extension-records.js';
import type { EventTrigger } from '../support/module-records.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, type TestPhone, uniquePhone, type World } from '../support/world.js';
import { subscribe } from './events.js';

/** Sends a text to a contact who has written. */
async function sendText(world: World, account: TestAccount): Promise<{ contact: string; networkId: string }> {
  const contact = uniquePhone();
  await openWindow(world, account.phone, contact);
  const message = { contact_phone: contact, message_type: 'text', message: 'Hello' };
  const { body } = await account.api.post(SEND_MESSAGE, message);
  return { contact, networkId: String((await recordOf(account, body['message_id'])).network_message_id) };
}

/** Sends a text, of which the network then reports `status`. */
const reported =
  (status: string, more: { errors?: readonly unknown[] } = {}): EventTrigger =>
  async (world, account) => {
    const { networkId } = await sendText(world, account);
    await report(world, account.phone.phoneNumberId, { id: networkId, status, ...more });
  };

const tapped: EventTrigger = async (world, account) => {
  const buttons = [{ type: 'QUICK_REPLY', text: 'Yes' }];
  const { name: template_name } = await approvedTemplate(world, account, { buttons });
  const contact = uniquePhone();
  const { body } = await account.api.post(SEND, { template_name, contact_phone: contact, contact_name: 'Casey' });
  const { network_message_id } = await untilStatus(account, body['message_id'], 'sent');
  const tap = { type: 'button', payload: 'yes', text: 'Yes', context_id: network_message_id };
  await openWindow(world, account.phone, contact, tap);
};

/** Lets a contact write. @returns the network's id of the message */
async function openedBy(world: World, phone: TestPhone, contact: string): Promise<string> {
  const id = `wamid.${contact}`;
  await openWindow(world, phone, contact, { id });
  return id;
}

/** A contact writes, an agent is assigned, and then these actions follow. */
const after =
  (...actions: readonly ('unassign' | 'resolve' | 'reopen')[]): EventTrigger =>
  async (world, account) => {
    const contact = uniquePhone();
    await openWindow(world, account.phone, contact);
    await act(account, 'assign', contact, { user_id: await enrol(world, account, 'Ada Agent') });
    for (const action of actions) await act(account, action, contact);
  };

/** How each kind of event comes about. */
export const EVENT_TRIGGERS = withExtensions('eventTriggers', {
  'message.sent': async (world, account) => void (await sendText(world, account)),
  'message.delivered': reported('delivered'),
  'message.read': reported('read'),
  'message.failed': reported('failed', { errors: [{ code: 131026, title: 'Message undeliverable' }] }),
  'button.clicked': tapped,
  'message.received': async (world, { phone }) => void (await openWindow(world, phone, uniquePhone())),
  'message.reply': async (world, account) => {
    const { contact, networkId } = await sendText(world, account);
    await openWindow(world, account.phone, contact, { context_id: networkId });
  },
  'message.edited': async (world, { phone }) => {
    const contact = uniquePhone();
    const original_message_id = await openedBy(world, phone, contact);
    await openWindow(world, phone, contact, { type: 'edit', original_message_id, text: 'Hello' });
  },
  'message.revoked': async (world, { phone }) => {
    const contact = uniquePhone();
    const original_message_id = await openedBy(world, phone, contact);
    await openWindow(world, phone, contact, { type: 'revoke', original_message_id, text: undefined });
  },
  'conversation.assigned': after(),
  'conversation.unassigned': after('unassign'),
  'conversation.resolved': after('resolve'),
  'conversation.reopened': after('resolve', 'reopen'),
  'webhook.disabled': async (_, account) => {
    const id = await subscribe(account, { url: 'http://127.0.0.1:9/disabled' });
    await account.api.patch(`/api/v1/webhooks/${id}`, { status: 'disabled' });
  },
});
