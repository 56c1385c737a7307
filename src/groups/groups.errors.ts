import { conflict, type DomainError, notFound } from '../errors/domain-error.js';
import type { RecordId } from '../values/record-id.js';

/** 404: this account has no such group. */
export const groupNotFound = (id: RecordId): DomainError => notFound(`group ${id} not found`);

/** 404: some of the groups are unknown or in another account. */
export const groupsNotFound = (ids: readonly RecordId[]): DomainError =>
  notFound(ids.length === 1 ? `group ${ids[0]} not found` : `groups not found: ${ids.join(', ')}`);

/** 409: group names are unique within an account. */
export const groupNameTaken = (name: string): DomainError => conflict(`a group named "${name}" already exists`);
