import { Injectable } from '@nestjs/common';
import { contactsNotFound } from '../contacts/contacts.errors.js';
import type { ContactRow } from '../contacts/contacts.queries.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { noteRecordOfKey } from '../idempotency/record-notes.js';
import type { Page, Paged } from '../values/page.js';
import type { RecordId } from '../values/record-id.js';
import {
  addMembers,
  type GroupMember,
  holdContacts,
  holdGroup,
  knownGroups,
  listMembers,
  membersOfGroups,
  removeMembers,
} from './group-members.queries.js';
import { groupNotFound, groupsNotFound } from './groups.errors.js';
import {
  changeGroup,
  deleteGroup,
  findGroup,
  type GroupChanges,
  type GroupRow,
  insertGroup,
  listGroups,
  type NewGroup,
  searchGroups,
} from './groups.queries.js';

/** Owns the contact groups of an account and who is in them; never touches the contacts themselves. */
@Injectable()
export class GroupsService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** A page of groups, newest first; an absent or empty `search` lists all (D84). */
  list(accountId: string, page: Page, search: string | null | undefined): Promise<Paged<GroupRow>> {
    const { autocommit } = this.unitOfWork;
    return search ? searchGroups(accountId, search, page, autocommit) : listGroups(accountId, page, autocommit);
  }

  /** @throws DomainError `not_found` */
  get(accountId: string, id: RecordId): Promise<GroupRow> {
    return this.find(accountId, id, this.unitOfWork.autocommit);
  }

  /**
   * Creates a group with its first contacts.
   *
   * @throws DomainError `conflict` when the name is taken, `not_found` naming contacts that are unknown; both change nothing
   */
  create(accountId: string, group: NewGroup, contactIds: readonly RecordId[]): Promise<GroupRow> {
    return this.unitOfWork.transaction(async (tx) => {
      const members = await this.hold(accountId, contactIds, tx);
      const id = await insertGroup(accountId, group, tx);
      if (members.length > 0) await addMembers(accountId, id, members, tx);
      await noteRecordOfKey(id, tx);
      return this.find(accountId, id, tx);
    });
  }

  /** @throws DomainError `not_found`, or `conflict` when another group has the new name */
  async change(accountId: string, id: RecordId, changes: GroupChanges): Promise<GroupRow> {
    const group = await changeGroup(accountId, id, changes, this.unitOfWork.autocommit);
    if (group === null) throw groupNotFound(id);
    return group;
  }

  /** Deletes the group; its contacts stay (SPEC §17). @throws DomainError `not_found` */
  async delete(accountId: string, id: RecordId): Promise<void> {
    if (!(await deleteGroup(accountId, id, this.unitOfWork.autocommit))) throw groupNotFound(id);
  }

  /**
   * Adds contacts; those that are in the group already are skipped (SPEC §18).
   *
   * @returns the distinct ids
   * @throws DomainError `not_found` for the group, or naming contacts that are unknown: then nobody is added
   */
  add(accountId: string, id: RecordId, contactIds: readonly RecordId[]): Promise<RecordId[]> {
    return this.changeMembers(accountId, id, contactIds, addMembers);
  }

  /** Takes contacts out of the group as {@link add} puts them in; the contacts stay (SPEC §19, D84). */
  remove(accountId: string, id: RecordId, contactIds: readonly RecordId[]): Promise<RecordId[]> {
    return this.changeMembers(accountId, id, contactIds, removeMembers);
  }

  /** A page of the group's contacts, those added last first. @throws DomainError `not_found` */
  async members(accountId: string, id: RecordId, page: Page): Promise<Paged<ContactRow>> {
    const members = await listMembers(accountId, id, page, this.unitOfWork.autocommit);
    if (members === null) throw groupNotFound(id);
    return members;
  }

  /**
   * Everybody in any of the groups, once each, for a campaign (D31).
   *
   * @param most so many contacts are read at most; ask for one more than is allowed, to know of too many
   * @throws DomainError `not_found` naming groups that are unknown or foreign (D77)
   */
  async recipients(accountId: string, groupIds: readonly RecordId[], most: number, tx: Tx): Promise<GroupMember[]> {
    const known = new Set(await knownGroups(accountId, groupIds, tx));
    const unknown = [...new Set(groupIds)].filter((id) => !known.has(id));
    if (unknown.length > 0) throw groupsNotFound(unknown);
    return membersOfGroups(accountId, groupIds, most, tx);
  }

  private async find(accountId: string, id: RecordId, tx: Tx): Promise<GroupRow> {
    const group = await findGroup(accountId, id, tx);
    if (group === null) throw groupNotFound(id);
    return group;
  }

  private changeMembers(
    accountId: string,
    id: RecordId,
    contactIds: readonly RecordId[],
    change: typeof addMembers,
  ): Promise<RecordId[]> {
    return this.unitOfWork.transaction(async (tx) => {
      await this.find(accountId, id, tx);
      const members = await this.hold(accountId, contactIds, tx);
      if (!(await holdGroup(accountId, id, tx))) throw groupNotFound(id);
      await change(accountId, id, members, tx);
      return members;
    });
  }

  /** The distinct ids, held. @throws DomainError `not_found` naming those that are no contacts */
  private async hold(accountId: string, contactIds: readonly RecordId[], tx: Tx): Promise<RecordId[]> {
    const distinct = [...new Set(contactIds)];
    if (distinct.length === 0) return distinct;
    const held = new Set(await holdContacts(accountId, distinct, tx));
    const unknown = distinct.filter((id) => !held.has(id));
    if (unknown.length > 0) throw contactsNotFound(unknown);
    return distinct;
  }
}
