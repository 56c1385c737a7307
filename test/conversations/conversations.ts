import { AgentsService } from '../../src/agents/agents.service.js';
import {
  AutomaticAssignmentService,
  type ReceivedInConversation,
} from '../../src/conversations/automatic-assignment.service.js';
import { ConversationAssignment } from '../../src/conversations/conversation-assignment.entity.js';
import type { AssignmentRecord } from '../../src/conversations/dto/assignment-data.dto.js';
import type {
  AssignmentStateRecord,
  AssignmentStateResponse,
  ConversationActionResponse,
} from '../../src/conversations/dto/conversation-responses.dto.js';
import { isConflict, isContention } from '../../src/database/connections/transient-errors.js';
import { withRetries } from '../../src/database/connections/with-retries.js';
import type { Tx } from '../../src/database/unit-of-work.js';
import { ensureContacts } from '../../src/people/ensured-contacts.queries.js';
import type { ApiResponse } from '../support/api-client.js';
import type { TestAccount, World } from '../support/world.js';

let enrolled = 0;

/** Enrols an agent in the account's organisation and returns their `user_id`. */
export function enrol(world: World, { organisationId }: TestAccount, fullName: string): Promise<string> {
  enrolled += 1;
  const email = `agent-${process.pid}-${enrolled}@example.test`;
  return world.parley.app
    .get(AgentsService)
    .add({ organisationId: String(organisationId), fullName, email, role: 'agent' });
}

/** Leaves an organisation without an owner, which no service does. */
export const deactivateOwner = (world: World, { ownerId }: TestAccount): Promise<number> =>
  world.unitOfWork.autocommit.affected("UPDATE users SET status = 'deactivated' WHERE id = $1", [ownerId]);

type Action = 'assign' | 'unassign' | 'reopen' | 'resolve';

/** Requests an action and returns the response, whatever its status. */
export const requestAction = (
  { api }: TestAccount,
  action: Action,
  phone: string,
  body?: Record<string, unknown>,
): Promise<ApiResponse<ConversationActionResponse>> =>
  api.post<ConversationActionResponse>(`/api/v1/conversations/${phone}/${action}`, body);

/** Requests an action, expects success and returns its data. */
export async function act(
  account: TestAccount,
  action: Action,
  phone: string,
  body?: Record<string, unknown>,
): Promise<AssignmentRecord> {
  const response = await requestAction(account, action, phone, body);
  expect(response).toMatchObject({ status: 200, body: { status: 'success', message: expect.any(String) } });
  expect(Object.keys(response.body).sort()).toEqual(['data', 'message', 'status']);
  return response.body.data;
}

/** The assignment state of a conversation. */
export async function stateOf({ api }: TestAccount, phone: string, query = ''): Promise<AssignmentStateRecord> {
  const response = await api.get<AssignmentStateResponse>(`/api/v1/conversations/${phone}/assignment${query}`);
  expect(response.status).toBe(200);
  expect(response.body.status).toBe('success');
  return response.body.data;
}

/** A webhook body about a conversation. */
export interface ConversationEventBody {
  readonly event: string;
  readonly timestamp: string;
  readonly conversation: {
    readonly contact_phone: string;
    readonly waba_phone_id: string;
    readonly status: string;
    readonly assigned_to: string | null;
    readonly assigned_to_name: string | null;
    readonly previous_assignee_id: string | null;
    readonly previous_assignee_name: string | null;
    readonly is_reassignment: boolean;
    readonly note: string | null;
    readonly reason: string | null;
    readonly actor: { readonly user_id: string; readonly name: string; readonly source: string };
  };
}

/** Bodies of the account's conversation events, ordered by timestamp; those of one moment as they were recorded. */
export async function eventsOf(world: World, { accountId }: TestAccount): Promise<ConversationEventBody[]> {
  const rows = await world.unitOfWork.autocommit.rows<{ body: string }>(
    `SELECT body FROM events WHERE account_id = $1 AND kind LIKE 'conversation.%' ORDER BY id`,
    [accountId],
  );
  return rows
    .map(({ body }) => JSON.parse(body) as ConversationEventBody)
    .sort((one, other) => one.timestamp.localeCompare(other.timestamp));
}

/** Assignments of the account's conversations, oldest first per conversation. */
export const holdingsOf = (world: World, { accountId }: TestAccount): Promise<ConversationAssignment[]> =>
  world.unitOfWork.autocommit.manager.find(ConversationAssignment, {
    where: { accountId },
    order: { contactId: 'ASC', businessPhoneId: 'ASC', heldFrom: 'ASC' },
  });

/** Options of {@link receive}. */
interface Received {
  readonly at?: Date;
  readonly preview?: string;
  /** Whether the transaction rolls back. */
  readonly thenFail?: boolean;
}

/** How often a message is delivered that meets a lock for too long. */
const MAX_TRIES = 20;
/** A deadlock is a fault, so it is not among them. */
const metALock = (error: unknown): boolean => isContention(error) && !isConflict(error);

/**
 * Receives a message as the inbound module does: contact, conversation and rules in one transaction. One that met a lock
 * for too long is delivered again, as the network does.
 */
export function receive(
  world: World,
  { accountId, phone: { id: businessPhoneId } }: TestAccount,
  contactPhone: string,
  { at = new Date(), preview = 'Hello', thenFail = false }: Received = {},
): Promise<ReceivedInConversation & { contactId: string }> {
  const once = async (tx: Tx) => {
    const [contact] = await ensureContacts(accountId, [{ phoneNumber: contactPhone, name: null }], 'inbound', tx);
    if (contact === undefined) throw new Error('no contact');
    const identity = { phoneNumber: contact.phoneNumber, userId: contact.userId };
    const message = {
      contact: identity,
      contactId: contact.id,
      businessPhoneId,
      preview,
      at,
      isAnswered: true,
      waiting: 'begins',
    } as const;
    const received = await world.parley.app.get(AutomaticAssignmentService).receive(accountId, message, tx);
    if (thenFail) throw new Error('rolled back');
    return { ...received, contactId: contact.id };
  };
  return withRetries(() => world.unitOfWork.transaction(once), metALock, MAX_TRIES);
}
