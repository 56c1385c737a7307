import { ConsentLedger } from '../consent/consent-ledger.js';
import { decisionOf } from '../consent/consent-words.js';
import { findConsentWords } from '../consent/consent-words.queries.js';
import type { Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';
import { type InboundMessage, saidBy } from './inbound-message.js';

/**
 * Opts a person in or out if a message says so, or an edit of it. What somebody says who is no contact yet is kept until
 * they are one.
 *
 * @param contactId the contact of the person; null if there is none
 * @param messageId the message that says so; null while it is unknown
 * @returns whether it opts the person in or out; null when it does neither
 */
export async function decideBySaying(
  accountId: string,
  contactId: RecordId | null,
  messageId: RecordId | null,
  message: Pick<InboundMessage, 'read' | 'raw' | 'at' | 'from' | 'userId'>,
  tx: Tx,
): Promise<boolean | null> {
  const said = saidBy(message);
  if (said.length === 0) return null;
  const optedIn = decisionOf(said, await findConsentWords(accountId, tx));
  if (optedIn === null) return null;
  const evidence = messageId === null ? null : ({ kind: 'message', id: messageId } as const);
  const decision = { optedIn, by: 'person', at: message.at, evidence } as const;
  if (contactId !== null) await ConsentLedger.decide(accountId, contactId, decision, tx);
  else {
    const identities = [message.from, message.userId].filter((identity) => identity !== null);
    await ConsentLedger.decideUnknown(accountId, identities, decision, tx);
  }
  return optedIn;
}
