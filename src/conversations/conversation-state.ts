import type { RecordId } from '../values/record-id.js';
import { conversationResolved } from './conversations.errors.js';

export const CONVERSATION_STATUSES = ['open', 'resolved'] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

/** The mutable state of a conversation. */
export interface ConversationState {
  readonly status: ConversationStatus;
  /** The assignee's `user_id`, or null. */
  readonly assignedTo: RecordId | null;
}

/** A change of a conversation's state. Its kind is also the kind of its event. */
export interface ConversationTransition {
  readonly kind: 'assigned' | 'unassigned' | 'reopened' | 'resolved';
  readonly from: ConversationState;
  readonly to: ConversationState;
}

// Each transition returns null if the conversation is already in that state; the request then changes and
// emits nothing.

/** Assigns an open conversation. @throws DomainError 400 for a resolved conversation, which must be reopened first */
export function assign(from: ConversationState, userId: RecordId): ConversationTransition | null {
  if (from.status === 'resolved') throw conversationResolved();
  if (from.assignedTo === userId) return null;
  return { kind: 'assigned', from, to: { status: 'open', assignedTo: userId } };
}

/** Unassigns a conversation; a resolved one stays resolved. */
export function unassign(from: ConversationState): ConversationTransition | null {
  if (from.assignedTo === null) return null;
  return { kind: 'unassigned', from, to: { status: from.status, assignedTo: null } };
}

/**
 * Reopens a conversation through the API, which assigns it to the account's owner.
 *
 * @param isNew whether this request created the conversation; a new one is assigned to the owner as well
 */
export function reopen(from: ConversationState, userId: RecordId, isNew: boolean): ConversationTransition | null {
  if (from.status === 'open' && !isNew) return null;
  return { kind: 'reopened', from, to: { status: 'open', assignedTo: userId } };
}

/** Reopens a resolved conversation because the customer wrote. The assignee keeps it if still active. */
export function reopenForCustomer(from: ConversationState, assigneeActive: boolean): ConversationTransition | null {
  if (from.status === 'open') return null;
  return { kind: 'reopened', from, to: { status: 'open', assignedTo: assigneeActive ? from.assignedTo : null } };
}

/** Resolves a conversation. It keeps its assignee, so that a customer who writes again reaches the same person. */
export function resolve(from: ConversationState): ConversationTransition | null {
  if (from.status === 'resolved') return null;
  return { kind: 'resolved', from, to: { status: 'resolved', assignedTo: from.assignedTo } };
}

/** The assignee who loses the conversation in this transition, or null. */
export const previousAssignee = ({ from, to }: ConversationTransition): RecordId | null =>
  from.assignedTo === to.assignedTo ? null : from.assignedTo;

/** Whether the transition moves the conversation from one user to another. */
export const isReassignment = (transition: ConversationTransition): boolean =>
  previousAssignee(transition) !== null && transition.to.assignedTo !== null;

/**
 * The time of a change: now, but always later than the previous change, even if another process's clock runs ahead.
 * This way a conversation's events can be ordered by timestamp.
 */
export const changeTime = (now: Date, lastChangedAt: Date | null): Date =>
  lastChangedAt === null || lastChangedAt < now ? now : new Date(lastChangedAt.getTime() + 1);
