import type { Tx } from '../database/unit-of-work.js';
import type { ConsentWords } from './consent-words.js';

/** The words with which contacts of this account opt out and in. */
export async function findConsentWords(accountId: string, tx: Tx): Promise<ConsentWords> {
  const row = await tx.row<ConsentWords>(
    `SELECT coalesce(o.stop_words, '{STOP,UNSUBSCRIBE,"OPT OUT"}') AS stop, coalesce(o.start_words, '{START}') AS start
     FROM accounts a LEFT JOIN organisations o ON o.id = a.organisation_id
     WHERE a.id = $1`,
    [accountId],
  );
  return row ?? { stop: [], start: [] };
}
