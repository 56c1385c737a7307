import type { Agent } from '../agents/agent.js';
import { badRequest, conflict, type DomainError, notFound } from '../errors/domain-error.js';
import type { ContactRef } from '../people/contact-ref.js';
import type { RecordId } from '../values/record-id.js';

/** 400: a resolved conversation must be reopened before it can be assigned. */
export const conversationResolved = (): DomainError =>
  badRequest('the conversation is resolved: reopen it before assigning it');

/** 400: without an organisation there are no agents to assign to. */
export const nobodyToAssign = (): DomainError =>
  badRequest('the API key belongs to no organisation, so there is nobody to assign conversations to');

/** 404: conversations can only be assigned to active members of the organisation. */
export const notAnActiveMember = (userId: RecordId): DomainError =>
  notFound(`user_id ${userId} is not an active member of the organisation`);

/** 404: there is no conversation with the contact, or none with the chosen phone. */
export const conversationNotFound = ({ value }: ContactRef): DomainError =>
  notFound(`there is no conversation with ${value}`);

/** 409: somebody else was faster. */
export const alreadyAssigned = (userId: RecordId, holder: Pick<Agent, 'fullName'> | null): DomainError =>
  conflict(
    `the conversation is assigned to ${holder?.fullName ?? 'somebody else'} (user_id ${userId}); ` +
      'without only_if_unassigned the request takes it over',
  );
