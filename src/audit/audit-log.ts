import type { Tx } from '../database/unit-of-work.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { currentActor, runAs, SYSTEM } from './actor.js';
import { type AuditAction, subjectTypeOf } from './audit-action.js';
import type { AuditChanges } from './audit-entry.entity.js';
import { findAccountsOfOrganisation, findAccountsOfOwner, insertAuditEntry } from './audit-entry.queries.js';

/** A change to record. */
export interface AuditedChange {
  readonly action: AuditAction;
  /** The record that was changed, of the type that the action begins with. */
  readonly subjectId: RecordId;
  /**
   * What changed: settings and counts. Never secrets, and nothing about people but their ids, because entries outlive
   * the erasure of a person.
   */
  readonly changes?: AuditChanges;
}

/**
 * Writes the audit log: who changed what, in the transaction of the change, so that neither exists without the other.
 * The actor is the request or command that the code runs for.
 */
export class AuditLog {
  static async write(accountId: string, { action, subjectId, changes = {} }: AuditedChange, tx: Tx): Promise<void> {
    const { kind, apiKeyId, userId, requestId, address } = currentActor();
    const subjectType = subjectTypeOf(action);
    const entry = { id: newRecordId(), actor: kind, apiKeyId, userId, action, subjectType, subjectId, changes };
    await insertAuditEntry(accountId, { ...entry, requestId, address }, tx);
  }

  /**
   * Records what Parley does by itself, even if a request has triggered it: work that requests wake may inherit their
   * actor.
   */
  static writeBySystem(accountId: string, change: AuditedChange, tx: Tx): Promise<void> {
    return runAs(SYSTEM, () => AuditLog.write(accountId, change, tx));
  }

  /** Records what concerns a user in each account that they may enter. */
  static async writeForUser(
    { userId, organisationId }: { readonly userId: string; readonly organisationId: string | null },
    change: AuditedChange,
    tx: Tx,
  ): Promise<void> {
    if (organisationId !== null) return AuditLog.writeForOrganisation(organisationId, change, tx);
    for (const accountId of await findAccountsOfOwner(userId, tx)) await AuditLog.write(accountId, change, tx);
  }

  /** Records a change of an organisation in each of its accounts. */
  static async writeForOrganisation(organisationId: string, change: AuditedChange, tx: Tx): Promise<void> {
    for (const accountId of await findAccountsOfOrganisation(organisationId, tx)) {
      await AuditLog.write(accountId, change, tx);
    }
  }
}
