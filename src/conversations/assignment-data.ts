import type { ContactIdentity } from '../people/contact-ref.js';
import type { RecordId } from '../values/record-id.js';
import type { ConversationStatus } from './conversation-state.js';

/** Conversation assignment data, as every action returns it. */
export interface AssignmentData {
  readonly contact: ContactIdentity;
  readonly wabaPhoneId: RecordId;
  readonly status: ConversationStatus | null;
  readonly assignedTo: RecordId | null;
  readonly assignedToName: string | null;
  readonly assignedAt: Date | null;
  readonly isReassignment: boolean | null;
  readonly previousAssigneeId: RecordId | null;
  readonly previousAssigneeName: string | null;
  readonly note: string | null;
  readonly noOp: boolean | null;
}

/** A conversation after an action, and whether the action changed it. */
export interface ConversationOutcome {
  readonly contact: ContactIdentity;
  readonly businessPhoneId: RecordId;
  readonly changed: boolean;
  readonly status: ConversationStatus;
  readonly assignedTo: RecordId | null;
  readonly assignedToName: string | null;
  readonly assignedAt: Date | null;
  readonly isReassignment: boolean;
  readonly previousAssigneeId: RecordId | null;
  readonly previousAssigneeName: string | null;
  readonly note: string | null;
}

type ConversationIds = Pick<ConversationOutcome, 'contact' | 'businessPhoneId'>;

const emptyData = ({ contact, businessPhoneId }: ConversationIds): AssignmentData => ({
  contact,
  wabaPhoneId: businessPhoneId,
  status: null,
  assignedTo: null,
  assignedToName: null,
  assignedAt: null,
  isReassignment: null,
  previousAssigneeId: null,
  previousAssigneeName: null,
  note: null,
  noOp: null,
});

/** The response to assign: everything except the status. */
export const assignData = (outcome: ConversationOutcome): AssignmentData => ({
  ...emptyData(outcome),
  assignedTo: outcome.assignedTo,
  assignedToName: outcome.assignedToName,
  assignedAt: outcome.assignedAt,
  isReassignment: outcome.isReassignment,
  previousAssigneeId: outcome.previousAssigneeId,
  previousAssigneeName: outcome.previousAssigneeName,
  note: outcome.note,
  noOp: !outcome.changed,
});

/** The response to unassign: only the conversation. */
export const unassignData = (ids: ConversationIds): AssignmentData => emptyData(ids);

/** The response to reopen: status and assignee. */
export const reopenData = (outcome: ConversationOutcome): AssignmentData => ({
  ...emptyData(outcome),
  status: outcome.status,
  assignedTo: outcome.assignedTo,
  assignedToName: outcome.assignedToName,
});

/** The response to resolve: status, assignee and time of assignment. */
export const resolveData = (outcome: ConversationOutcome): AssignmentData => ({
  ...reopenData(outcome),
  assignedAt: outcome.assignedAt,
});
