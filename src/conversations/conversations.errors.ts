import { badRequest, type DomainError, notFound } from '../errors/domain-error.js';
import type { RecordId } from '../values/record-id.js';

/** 400: a resolved conversation must be reopened before it can be assigned. */
export const conversationResolved = (): DomainError =>
  badRequest('the conversation is resolved: reopen it before assigning it');

/** 400: without an organisation there are no agents to assign to. */
export const noOrganisation = (): DomainError =>
  badRequest('the API key belongs to no organisation, so there is nobody to assign conversations to');

/** 404: conversations can only be assigned to active members of the organisation. */
export const notAnActiveMember = (userId: RecordId): DomainError =>
  notFound(`user_id ${userId} is not an active member of the organisation`);
