import { violatedForeignKey } from '../database/constraint-violation.js';
import type { Tx } from '../database/unit-of-work.js';
import { badRequest } from '../errors/domain-error.js';
import type { OrganisationSettings } from './organisation-rules.js';

interface SettingsRow {
  readonly auto_inbound: boolean;
  readonly auto_reply: string | null;
  readonly auto_reply_user_id: string | null;
  readonly stop_words: string[];
  readonly start_words: string[];
}

/** The organisation's settings, its row locked until the transaction ends; null when there is no such organisation. */
export async function lockSettings(organisationId: string, tx: Tx): Promise<OrganisationSettings | null> {
  const row = await tx.row<SettingsRow>(
    `SELECT auto_inbound, auto_reply, auto_reply_user_id, stop_words, start_words
     FROM organisations WHERE id = $1 FOR NO KEY UPDATE`,
    [organisationId],
  );
  if (row === null) return null;
  return {
    autoInbound: row.auto_inbound,
    autoReply: row.auto_reply,
    autoReplyUserId: row.auto_reply_user_id,
    stopWords: row.stop_words,
    startWords: row.start_words,
  };
}

export async function updateSettings(organisationId: string, settings: OrganisationSettings, tx: Tx): Promise<void> {
  const { autoInbound, autoReply, autoReplyUserId, stopWords, startWords } = settings;
  try {
    await tx.affected(
      `UPDATE organisations
       SET auto_inbound = $2, auto_reply = $3, auto_reply_user_id = $4, stop_words = $5, start_words = $6
       WHERE id = $1`,
      [organisationId, autoInbound, autoReply, autoReplyUserId, stopWords, startWords],
    );
  } catch (error) {
    if (violatedForeignKey(error) === 'organisations_auto_reply_user_fkey') {
      throw badRequest(`user ${autoReplyUserId} is not a member of organisation ${organisationId}`);
    }
    throw error;
  }
}
