import type { Database, Tx } from '../database/unit-of-work.js';
import { Organisation } from './organisation.entity.js';
import type { OrganisationSettings } from './organisation-rules.js';

/** Every organisation, oldest first. Only for operators, who look across tenants. */
export function findOrganisations(db: Database): Promise<Organisation[]> {
  return db.manager.find(Organisation, { order: { id: 'ASC' } });
}

export function findOrganisation(organisationId: string, db: Database): Promise<Organisation | null> {
  return db.manager.findOneBy(Organisation, { id: organisationId });
}

/** The organisation's settings, locked until the transaction ends; null when it does not exist. */
export function lockSettings(organisationId: string, tx: Tx): Promise<OrganisationSettings | null> {
  return tx.row<OrganisationSettings>(
    `SELECT auto_inbound, auto_reply, auto_reply_user_id, stop_words, start_words
     FROM organisations WHERE id = $1 FOR NO KEY UPDATE`,
    [organisationId],
  );
}

/** Writes settings that {@link lockSettings} has read. */
export async function updateSettings(organisationId: string, settings: OrganisationSettings, tx: Tx): Promise<void> {
  const { autoInbound, autoReply, autoReplyUserId, stopWords, startWords } = settings;
  await tx.manager.update(
    Organisation,
    { id: organisationId },
    { autoInbound, autoReply, autoReplyUserId, stopWords: [...stopWords], startWords: [...startWords] },
  );
}

/** Whether a user is a member of an organisation. Locks the membership until the transaction ends. */
export async function lockMembership(organisationId: string, userId: string, tx: Tx): Promise<boolean> {
  const member = await tx.row('SELECT id FROM users WHERE organisation_id = $1 AND id = $2 FOR SHARE', [
    organisationId,
    userId,
  ]);
  return member !== null;
}
