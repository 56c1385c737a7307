import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Database, Tx } from '../../src/database/unit-of-work.js';
import { CampaignListener } from '../../src/hooks/campaign-listener.js';
import { ConversationListener } from '../../src/hooks/conversation-listener.js';
import { InboundListener } from '../../src/hooks/inbound-listener.js';
import { PersonalDataSource } from '../../src/hooks/personal-data-source.js';
import { Room } from '../../src/manifest/room.js';
import type { RecordId } from '../../src/values/record-id.js';
import type { World } from '../support/world.js';

@Entity('probe_notes')
export class ProbeNote {
  @PrimaryColumn({ type: 'uuid' })
  accountId: RecordId;

  @PrimaryColumn({ type: 'uuid' })
  contactId: RecordId;

  @PrimaryColumn({ type: 'text' })
  note: string;
}

/** A table without an account. */
@Entity('probe_settings')
export class ProbeSetting {
  @PrimaryColumn({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  value: string;
}

/** What a test lets the hooks of one account do besides writing a note. */
export type Mischief = (db: Database) => Promise<unknown>;

/** What the hooks of this file have been called with, and what they are to do. */
export class Probe {
  private static readonly mischiefs = new Map<string, Mischief>();
  static readonly calls: { readonly accountId: string; readonly method: string; readonly facts: unknown }[] = [];

  /** Lets `method` of the hooks do something for one account; null stops it. */
  static let(accountId: string, method: string, mischief: Mischief | null): void {
    if (mischief === null) Probe.mischiefs.delete(`${accountId} ${method}`);
    else Probe.mischiefs.set(`${accountId} ${method}`, mischief);
  }

  /** The methods that were called for an account, with their facts. */
  static of(accountId: string): [string, unknown][] {
    return Probe.calls.filter((call) => call.accountId === accountId).map(({ method, facts }) => [method, facts]);
  }

  static async run(accountId: string, method: string, facts: unknown, db: Database): Promise<void> {
    Probe.calls.push({ accountId, method, facts });
    await Probe.mischiefs.get(`${accountId} ${method}`)?.(db);
  }
}

export const note = (accountId: string, contactId: string, text: string, db: Database): Promise<number> =>
  db.affected('INSERT INTO probe_notes (account_id, contact_id, note) VALUES ($1, $2, $3)', [
    accountId,
    contactId,
    text,
  ]);

class ProbeInbound extends InboundListener {
  override async onMessage(...[accountId, message, tx]: Parameters<NonNullable<InboundListener['onMessage']>>) {
    await note(accountId, message.contactId, message.content, tx);
    await Probe.run(accountId, 'onMessage', message, tx);
  }

  override onTap(...[accountId, tap, tx]: Parameters<NonNullable<InboundListener['onTap']>>) {
    return Probe.run(accountId, 'onTap', tap, tx);
  }
}

/** A second listener of one kind. */
class ProbeEcho extends InboundListener {
  override onMessage(...[accountId, message, tx]: Parameters<NonNullable<InboundListener['onMessage']>>) {
    return Probe.run(accountId, 'echo', message.content, tx);
  }
}

class ProbeConversations extends ConversationListener {
  override onAssigned(...[accountId, facts, tx]: Parameters<NonNullable<ConversationListener['onAssigned']>>) {
    return Probe.run(accountId, 'onAssigned', facts, tx);
  }

  override onResolved(...[accountId, facts, tx]: Parameters<NonNullable<ConversationListener['onResolved']>>) {
    return Probe.run(accountId, 'onResolved', facts, tx);
  }

  override onReopened(...[accountId, facts, tx]: Parameters<NonNullable<ConversationListener['onReopened']>>) {
    return Probe.run(accountId, 'onReopened', facts, tx);
  }
}

class ProbeCampaigns extends CampaignListener {
  override onStarted(...[accountId, facts, tx]: Parameters<NonNullable<CampaignListener['onStarted']>>) {
    return Probe.run(accountId, 'onStarted', facts, tx);
  }

  override onEnded(...[accountId, facts, tx]: Parameters<NonNullable<CampaignListener['onEnded']>>) {
    return Probe.run(accountId, 'onEnded', facts, tx);
  }
}

class ProbeData extends PersonalDataSource {
  export(accountId: string, contactIds: readonly RecordId[], tx: Tx): Promise<ProbeNote[]> {
    return Probe.run(accountId, 'export', contactIds, tx).then(() =>
      tx.rows<ProbeNote>('SELECT * FROM probe_notes WHERE account_id = $1 AND contact_id = ANY ($2::uuid[])', [
        accountId,
        contactIds,
      ]),
    );
  }

  async erase(accountId: string, contactIds: readonly RecordId[], tx: Tx): Promise<void> {
    await tx.affected('DELETE FROM probe_notes WHERE account_id = $1 AND contact_id = ANY ($2::uuid[])', [
      accountId,
      contactIds,
    ]);
    await Probe.run(accountId, 'erase', contactIds, tx);
  }

  async merge(accountId: string, keptId: RecordId, goneId: RecordId, tx: Tx): Promise<void> {
    await tx.manager.update(ProbeNote, { accountId, contactId: goneId }, { contactId: keptId });
    await Probe.run(accountId, 'merge', [keptId, goneId], tx);
  }
}

/** A room that listens to everything and stores the text of each message. */
@Room({
  entities: [ProbeNote, ProbeSetting],
  personalData: { covered: ['probe_notes'] },
  providers: [ProbeInbound, ProbeEcho, ProbeConversations, ProbeCampaigns, ProbeData],
})
export class ProbeModule {}

/** Creates the tables of the room; its test file drops them, because files share a database. */
export async function createProbeTables({ unitOfWork: { autocommit } }: World): Promise<void> {
  await autocommit.affected(
    `CREATE TABLE probe_notes (account_id uuid NOT NULL, contact_id uuid NOT NULL, note text NOT NULL,
                               PRIMARY KEY (account_id, contact_id, note))`,
  );
  await autocommit.affected('CREATE TABLE probe_settings (name text PRIMARY KEY, value text NOT NULL)');
}

export async function dropProbeTables({ unitOfWork: { autocommit } }: World): Promise<void> {
  await autocommit.affected('DROP TABLE IF EXISTS probe_notes, probe_settings');
}

/** The notes of an account's contacts. */
export async function notesOf({ unitOfWork: { autocommit } }: World, accountId: string): Promise<ProbeNote[]> {
  return autocommit.rows<ProbeNote>('SELECT * FROM probe_notes WHERE account_id = $1 ORDER BY note', [accountId]);
}
