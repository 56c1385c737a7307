import { conflict, type DomainError, notFound } from '../errors/domain-error.js';
import type { RecordId } from '../values/record-id.js';

/** 404: this account has no such saved reply. */
export const savedReplyNotFound = (id: RecordId): DomainError => notFound(`saved reply ${id} not found`);

/** 409: names of saved replies are unique within an account, in whatever case they are written. */
export const savedReplyNameTaken = (name: string): DomainError =>
  conflict(`a saved reply named "${name}" already exists`);

/** 409: an account has no more than so many. */
export const tooManySavedReplies = (max: number): DomainError =>
  conflict(`the account has ${max} saved replies, which is the most; delete one first`);
