import { Injectable } from '@nestjs/common';
import { contactsNotFound } from '../contacts/contacts.errors.js';
import { type Database, type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { noteRecordOfKey } from '../idempotency/record-notes.js';
import type { ContactRow } from '../people/contact-columns.js';
import { survivorsOf } from '../people/merged-contact.queries.js';
import type { Page, Paged } from '../values/page.js';
import type { RecordId } from '../values/record-id.js';
import {
  addMembers,
  deletedAmong,
  type GroupRecipients,
  listMembers,
  lockForMembership,
  lockGroup,
  membersOfGroups,
  namesOfGroups,
  removeMembers,
} from './group-members.queries.js';
import { groupNotFound, groupsNotFound } from './groups.errors.js';
import {
  changeGroup,
  findGroup,
  type GroupChanges,
  type GroupRow,
  hideGroup,
  insertGroup,
  listGroups,
  type NewGroup,
  searchGroups,
} from './groups.queries.js';

/** Owns the contact groups of an account and their members; never changes the contacts themselves. */
@Injectable()
export class GroupsService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Returns a page of groups, newest first. Without `search` and `contactId` it lists all of them. */
  list(
    accountId: string,
    page: Page,
    search: string | null | undefined,
    contactId: RecordId | null = null,
  ): Promise<Paged<GroupRow>> {
    const reads = this.unitOfWork.reads(accountId);
    if (!search && contactId === null) return listGroups(accountId, page, reads);
    return searchGroups(accountId, search ?? '', contactId, page, reads);
  }

  /** @throws DomainError `not_found` */
  get(accountId: string, id: RecordId): Promise<GroupRow> {
    return this.find(accountId, id, this.unitOfWork.reads(accountId));
  }

  /**
   * Creates a group with its first contacts.
   *
   * @throws DomainError `conflict` when the name is taken, or `not_found` naming unknown contacts; then nothing changes
   */
  create(accountId: string, group: NewGroup, contactIds: readonly RecordId[]): Promise<GroupRow> {
    return this.unitOfWork.writes(accountId).transaction(async (tx) => {
      const members = await this.lock(accountId, contactIds, tx);
      const id = await insertGroup(accountId, group, tx);
      if (members.length > 0) await addMembers(accountId, id, members, tx);
      await noteRecordOfKey(id, tx);
      return this.find(accountId, id, tx);
    });
  }

  /** @throws DomainError `not_found`, or `conflict` when another group has the new name */
  async change(accountId: string, id: RecordId, changes: GroupChanges): Promise<GroupRow> {
    const group = await changeGroup(accountId, id, changes, this.unitOfWork.writes(accountId));
    if (group === null) throw groupNotFound(id);
    return group;
  }

  /**
   * Hides the group immediately; its members are removed in small batches. The contacts stay.
   *
   * @throws DomainError `not_found`
   */
  async delete(accountId: string, id: RecordId): Promise<void> {
    if (!(await hideGroup(accountId, id, this.unitOfWork.writes(accountId)))) throw groupNotFound(id);
  }

  /**
   * Adds contacts to the group and skips those already in it.
   *
   * @returns the distinct ids
   * @throws DomainError `not_found` for the group, or naming unknown contacts; then no contact is added
   */
  add(accountId: string, id: RecordId, contactIds: readonly RecordId[]): Promise<RecordId[]> {
    return this.changeMembers(accountId, id, contactIds, addMembers, noneSkipped);
  }

  /**
   * Removes contacts from the group, with the same result and errors as {@link add}, but skips deleted contacts. The
   * contacts themselves stay.
   */
  remove(accountId: string, id: RecordId, contactIds: readonly RecordId[]): Promise<RecordId[]> {
    return this.changeMembers(accountId, id, contactIds, removeMembers, deletedAmong);
  }

  /** Returns a page of the group's contacts, last added first. @throws DomainError `not_found` */
  async members(accountId: string, id: RecordId, page: Page): Promise<Paged<ContactRow>> {
    const members = await listMembers(accountId, id, page, this.unitOfWork.reads(accountId));
    if (members === null) throw groupNotFound(id);
    return members;
  }

  /**
   * Returns the distinct contacts in any of the groups, for a campaign, and the names of the groups.
   *
   * @param limit most contacts to return; pass one more than allowed to detect too many
   * @throws DomainError `not_found` naming groups that are unknown or in another account
   */
  async recipients(
    accountId: string,
    groupIds: readonly RecordId[],
    limit: number,
    db: Database,
  ): Promise<GroupRecipients> {
    const wanted = [...new Set(groupIds)];
    const names = await namesOfGroups(accountId, wanted, db);
    const unknown = wanted.filter((id) => !names.has(id));
    if (unknown.length > 0) throw groupsNotFound(unknown);
    const members = await membersOfGroups(accountId, wanted, limit, db);
    return { members, names: wanted.map((id) => names.get(id) ?? '') };
  }

  private async find(accountId: string, id: RecordId, db: Database): Promise<GroupRow> {
    const group = await findGroup(accountId, id, db);
    if (group === null) throw groupNotFound(id);
    return group;
  }

  private changeMembers(
    accountId: string,
    id: RecordId,
    contactIds: readonly RecordId[],
    change: typeof addMembers,
    skipped: typeof deletedAmong,
  ): Promise<RecordId[]> {
    return this.unitOfWork.writes(accountId).transaction(async (tx) => {
      await this.find(accountId, id, tx);
      const members = await this.lock(accountId, contactIds, tx, skipped);
      if (!(await lockGroup(accountId, id, tx))) throw groupNotFound(id);
      await change(accountId, id, members, tx);
      return members;
    });
  }

  /**
   * Locks contacts and returns their distinct ids; that of a merged contact stands for the one it was merged into.
   *
   * @throws DomainError `not_found` naming unknown contacts
   */
  private async lock(
    accountId: string,
    contactIds: readonly RecordId[],
    tx: Tx,
    skipped: typeof deletedAmong = noneSkipped,
  ): Promise<RecordId[]> {
    const distinct = [...new Set(contactIds)];
    if (distinct.length === 0) return distinct;
    const locked = new Set(await lockForMembership(accountId, distinct, tx));
    const others = distinct.filter((id) => !locked.has(id));
    if (others.length === 0) return distinct;
    const survivors = await survivorsOf(accountId, others, tx);
    for (const id of await lockForMembership(accountId, [...survivors.values()], tx)) locked.add(id);
    const meant = distinct.map((id) => survivors.get(id) ?? id);
    const gone = new Set(await skipped(accountId, meant, tx));
    const unknown = distinct.filter((_, place) => !locked.has(meant[place] ?? '') && !gone.has(meant[place] ?? ''));
    if (unknown.length > 0) throw contactsNotFound(unknown);
    return [...new Set(meant)];
  }
}

const noneSkipped: typeof deletedAmong = async () => [];
