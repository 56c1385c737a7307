import type { RecordId } from '../values/record-id.js';
import { conversationResolved } from './conversations.errors.js';

export const CONVERSATION_STATUSES = ['open', 'resolved'] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

/** What can change about a conversation. */
export interface ConversationState {
  readonly status: ConversationStatus;
  /** `user_id` of whoever holds it, or null. */
  readonly assignedTo: RecordId | null;
}

/** One step of a conversation; its kind is also its event's. */
export interface Transition {
  readonly kind: 'assigned' | 'unassigned' | 'reopened' | 'resolved';
  readonly from: ConversationState;
  readonly to: ConversationState;
}

// Each transition answers null where the conversation is in that state already: such a request changes and emits nothing.

/** @throws DomainError 400 for a resolved conversation: it must be reopened first */
export function assign(from: ConversationState, userId: RecordId): Transition | null {
  if (from.status === 'resolved') throw conversationResolved();
  if (from.assignedTo === userId) return null;
  return { kind: 'assigned', from, to: { status: 'open', assignedTo: userId } };
}

/** A resolved conversation can be released too, and stays resolved. */
export function unassign(from: ConversationState): Transition | null {
  if (from.assignedTo === null) return null;
  return { kind: 'unassigned', from, to: { status: from.status, assignedTo: null } };
}

/**
 * Reopening by the API gives the conversation to the account's owner.
 *
 * @param isNew whether the conversation was made for this very request: then it is not open already, and is theirs too
 */
export function reopen(from: ConversationState, ownerId: RecordId, isNew: boolean): Transition | null {
  if (from.status === 'open' && !isNew) return null;
  return { kind: 'reopened', from, to: { status: 'open', assignedTo: ownerId } };
}

/** A customer's message reopens a resolved conversation; its assignee keeps it if still active. */
export function reopenForCustomer(from: ConversationState, assigneeActive: boolean): Transition | null {
  if (from.status === 'open') return null;
  return { kind: 'reopened', from, to: { status: 'open', assignedTo: assigneeActive ? from.assignedTo : null } };
}

/** The assignee stays, so that a customer who writes again meets the same person. */
export function resolve(from: ConversationState): Transition | null {
  if (from.status === 'resolved') return null;
  return { kind: 'resolved', from, to: { status: 'resolved', assignedTo: from.assignedTo } };
}

/** Who held the conversation until this step, where it takes the conversation away from somebody. */
export const previousAssignee = ({ from, to }: Transition): RecordId | null =>
  from.assignedTo === to.assignedTo ? null : from.assignedTo;

/** Whether the step takes a conversation from one person and gives it to another. */
export const isReassignment = (transition: Transition): boolean =>
  previousAssignee(transition) !== null && transition.to.assignedTo !== null;

/**
 * When a change takes place: now, but after the change before it, whatever the clocks of other processes say. So the
 * timestamps of a conversation's events tell their order.
 */
export const changeTime = (now: Date, lastChangedAt: Date | null): Date =>
  lastChangedAt === null || lastChangedAt < now ? now : new Date(lastChangedAt.getTime() + 1);
