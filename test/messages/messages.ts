import { until } from '../support/until.js';
import type { TestAccount, TestPhone, World } from '../support/world.js';

/** A message as the API shows it. */
export interface MessageRecord {
  readonly message_id: string;
  readonly direction: string;
  readonly contact_id: string;
  readonly contact_phone: string;
  readonly contact_name: string;
  readonly message_type: string;
  readonly content: string;
  readonly status: string;
  readonly network_message_id: string | null;
  readonly error_code: number | null;
  readonly error_message: string | null;
  readonly pricing: Record<string, unknown> | null;
  readonly timeline: readonly { readonly status: string; readonly at: string }[];
}

/** An event as stored in the log, which is the body of every webhook. */
export interface LoggedEvent {
  readonly event: string;
  readonly [field: string]: unknown;
}

export const SEND = '/api/v1/messages/send';
export const SEND_MESSAGE = '/api/v1/messages/send-message';
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
/** UTC with milliseconds and no offset. */
export const NAIVE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$/;

/** A time in the form of message payloads. */
export const naive = (at: Date | number): string => new Date(at).toISOString().slice(0, -1);

/** The unix time in whole seconds, `ago` seconds in the past. */
export const secondsAgo = (ago: number): number => Math.floor(Date.now() / 1000) - ago;

/** The phone's sends as the network received them, oldest first. */
export async function sentUpstream(world: World, phone: TestPhone): Promise<Record<string, unknown>[]> {
  const requests = await world.simulator.requests(phone.phoneNumberId);
  return requests
    .filter(({ path }) => path.endsWith('/messages'))
    .map(({ body }) => (typeof body === 'string' ? JSON.parse(body) : body) as Record<string, unknown>)
    .reverse();
}

/** The account's events in the order they were recorded. */
export async function eventsOf(world: World, { accountId }: Pick<TestAccount, 'accountId'>): Promise<LoggedEvent[]> {
  const rows = await world.unitOfWork.autocommit.rows<{ body: string }>(
    'SELECT body FROM events WHERE account_id = $1 ORDER BY id',
    [accountId],
  );
  return rows.map(({ body }) => JSON.parse(body) as LoggedEvent);
}

/** Kinds of the account's events, in order. */
export const kindsOf = async (world: World, account: Pick<TestAccount, 'accountId'>): Promise<string[]> =>
  (await eventsOf(world, account)).map(({ event }) => event);

export async function recordOf({ api }: TestAccount, messageId: unknown): Promise<MessageRecord> {
  const { body } = await api.get<{ message_record: MessageRecord }>(`/api/v1/messages/${String(messageId)}`);
  return body.message_record;
}

/** Waits until the message has this status. */
export const untilStatus = (account: TestAccount, messageId: unknown, status: string): Promise<MessageRecord> =>
  until(`the message is ${status}`, async () => {
    const record = await recordOf(account, messageId);
    return record?.status === status && record;
  });

/** Opens the service window with a message from the contact; returns the network's message id. */
export async function openWindow(
  world: World,
  phone: TestPhone,
  from: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const { id, callback_status } = await world.simulator.inbound({
    phone_number_id: phone.phoneNumberId,
    from,
    type: 'text',
    text: 'Hi',
    ...more,
  });
  if (callback_status !== 200) throw new Error(`the inbound message was answered ${callback_status}`);
  return id;
}

/** One status report as the network sends it. */
export interface Report {
  readonly id: string;
  readonly status: string;
  readonly timestamp?: string;
  readonly biz_opaque_callback_data?: string;
  readonly errors?: readonly unknown[];
  readonly pricing?: unknown;
}

/** Sends status reports in one signed callback and returns its status. */
export async function report(world: World, phoneNumberId: string, ...statuses: Report[]): Promise<number> {
  const { callback_status } = await world.simulator.callback('messages', {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550000000', phone_number_id: phoneNumberId },
    statuses: statuses.map((status) => ({
      timestamp: String(Math.floor(Date.now() / 1000)),
      ...status,
    })),
  });
  return callback_status;
}
