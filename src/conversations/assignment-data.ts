import type { ContactIdentity } from '../contacts/contact-ref.js';
import type { RecordId } from '../values/record-id.js';
import type { ConversationStatus } from './conversation-state.js';

/** Conversation assignment data, as every action answers it. */
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

/** Where a conversation stands after an action, and whether the action changed it. */
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

type Place = Pick<ConversationOutcome, 'contact' | 'businessPhoneId'>;

const blank = ({ contact, businessPhoneId }: Place): AssignmentData => ({
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

/** What assign answers: everything but the status. */
export const assignData = (outcome: ConversationOutcome): AssignmentData => ({
  ...blank(outcome),
  assignedTo: outcome.assignedTo,
  assignedToName: outcome.assignedToName,
  assignedAt: outcome.assignedAt,
  isReassignment: outcome.isReassignment,
  previousAssigneeId: outcome.previousAssigneeId,
  previousAssigneeName: outcome.previousAssigneeName,
  note: outcome.note,
  noOp: !outcome.changed,
});

/** What unassign answers: only which conversation it was. */
export const unassignData = (place: Place): AssignmentData => blank(place);

/** What reopen answers: status and assignee. */
export const reopenData = (outcome: ConversationOutcome): AssignmentData => ({
  ...blank(outcome),
  status: outcome.status,
  assignedTo: outcome.assignedTo,
  assignedToName: outcome.assignedToName,
});

/** What resolve answers: status, and who keeps the conversation. */
export const resolveData = (outcome: ConversationOutcome): AssignmentData => ({
  ...reopenData(outcome),
  assignedAt: outcome.assignedAt,
});
