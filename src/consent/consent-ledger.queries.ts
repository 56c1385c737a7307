import { ListOrder } from '../database/sql/list-order.js';
import type { Counted } from '../database/sql/page-sql.js';
import type { Database, Tx } from '../database/unit-of-work.js';
import type { Page } from '../values/page.js';
import type { RecordId } from '../values/record-id.js';
import type { ConsentDecision } from './consent-decision.entity.js';
import type { DecidedBy, Decision, Verdict } from './decision.js';
import { DECISION_COLUMNS } from './suppression.queries.js';

/** Whether contact `c` gets no marketing messages, as SQL. Every statement that selects recipients reads this again. */
export const optedOut = (c: string): string => `NOT ${c}.opted_in`;

/**
 * SQL of statements that apply decisions: the CTEs `held` to `entered` judge those of `source`, change the contacts and
 * write the ledger. `$1` is the account. `consent_verdict` is the rule; here is only what follows from a verdict.
 *
 * The times of the network are whole seconds, so all count in whole seconds, and within one the order of arrival
 * decides. A decision without a time is made now. One that says the same as the decision in force only moves its time
 * on, so that an older contrary one, which arrives later, changes nothing; the ledger then repeats the decision in force
 * behind it.
 *
 * @param source SQL that yields `contact_id`, `opted_in`, `decided_by`, `decided_at` (null: now), `lifts`,
 * `evidence_kind` and `evidence_id`, one row per contact
 */
export const appliedDecisions = (source: string): string =>
  `held AS MATERIALIZED (
     SELECT d.contact_id, d.opted_in, d.decided_by, d.lifts, d.evidence_kind, d.evidence_id, c.phone_number, c.wa_id,
            c.user_id, c.merged_into, c.opted_in AS current_opted_in, c.consent_by AS current_by,
            c.consent_at AS current_at,
            coalesce(date_trunc('second', least(d.decided_at, now())),
                     greatest(date_trunc('second', now()), c.consent_at)) AS decided_at
     FROM (${source}) d JOIN contacts c ON c.account_id = $1 AND c.id = d.contact_id
     ORDER BY number_key(c.phone_number), c.id
     FOR NO KEY UPDATE OF c
   ), judged AS MATERIALIZED (
     SELECT *, consent_verdict(current_opted_in, current_by, current_at, opted_in, decided_by, decided_at, lifts) AS verdict
     FROM held WHERE merged_into IS NULL
   ), changed AS (
     UPDATE contacts c
     SET opted_in = j.opted_in,
         consent_by = CASE j.verdict WHEN 'taken' THEN j.decided_by ELSE c.consent_by END,
         consent_at = CASE WHEN j.opted_in = j.current_opted_in THEN greatest(j.current_at, j.decided_at) ELSE j.decided_at END,
         updated_at = now()
     FROM judged j
     WHERE c.account_id = $1 AND c.id = j.contact_id
       AND (j.verdict = 'taken'
            OR j.verdict = 'repeated' AND j.decided_at > j.current_at
               AND NOT (j.opted_in AND 'account' IN (j.decided_by, coalesce(j.current_by, 'account'))))
   ), entry AS (
     SELECT contact_id, 1 AS step, opted_in, decided_by, decided_at, evidence_kind, evidence_id
     FROM judged WHERE verdict IN ('taken', 'late')
     UNION ALL
     SELECT contact_id, 2, current_opted_in, coalesce(current_by, 'account'), current_at, NULL, NULL
     FROM judged j
     WHERE verdict = 'late'
       AND j.decided_at >= (SELECT max(e.decided_at) FROM consent_decisions e
                            WHERE e.account_id = $1 AND e.contact_id = j.contact_id
                              AND e.opted_in = j.current_opted_in AND e.decided_at < j.current_at)
       AND NOT EXISTS (SELECT FROM consent_decisions e
                       WHERE e.account_id = $1 AND e.contact_id = j.contact_id
                         AND e.opted_in = j.current_opted_in AND e.decided_at = j.current_at)
   ), entered AS (
     INSERT INTO consent_decisions (account_id, contact_id, ${DECISION_COLUMNS})
     SELECT $1, contact_id, ${DECISION_COLUMNS} FROM entry ORDER BY contact_id, step
   )`;

/** What a decision did, and the identities of the contact. */
export interface AppliedDecision {
  readonly contactId: RecordId;
  /** Null when the contact was merged into another one; nothing was changed. */
  readonly verdict: Verdict | null;
  readonly mergedInto: RecordId | null;
  readonly phoneNumber: string | null;
  readonly waId: string | null;
  readonly userId: string | null;
  readonly decidedAt: Date;
}

/** Applies one decision to a contact, which may have been merged. Null when there is none. */
export function applyDecision(
  accountId: string,
  contactId: RecordId,
  { optedIn, by, at, evidence, lifts = false }: Decision,
  tx: Tx,
): Promise<AppliedDecision | null> {
  return tx.row<AppliedDecision>(
    `WITH ${appliedDecisions(`SELECT $2::uuid AS contact_id, $3::boolean AS opted_in, $4::text AS decided_by,
                                     $5::timestamptz AS decided_at, $6::boolean AS lifts, $7::text AS evidence_kind,
                                     $8::text AS evidence_id`)}
     SELECT h.contact_id, j.verdict, h.merged_into, h.phone_number, h.wa_id, h.user_id, h.decided_at
     FROM held h LEFT JOIN judged j ON j.contact_id = h.contact_id`,
    [accountId, contactId, optedIn, by, at, lifts, evidence?.kind ?? null, evidence?.id ?? null],
  );
}

/**
 * Joins the ledgers of two contacts, which the caller has locked. If one of them had opted out, the contact that stays
 * opts out again now, whatever the other had decided since; else the later opt-in counts.
 */
export async function joinLedgers(accountId: string, keptId: RecordId, goneId: RecordId, tx: Tx): Promise<void> {
  await tx.affected('UPDATE consent_decisions SET contact_id = $2 WHERE account_id = $1 AND contact_id = $3', [
    accountId,
    keptId,
    goneId,
  ]);
  await tx.affected(
    `WITH side AS MATERIALIZED (
       SELECT opted_in, consent_by, consent_at FROM contacts WHERE account_id = $1 AND id IN ($2::uuid, $3::uuid)
     ), strongest AS MATERIALIZED (
       SELECT consent_by FROM side WHERE NOT opted_in AND consent_at IS NOT NULL
       ORDER BY consent_by = 'account', consent_at DESC LIMIT 1
     ), joined AS MATERIALIZED (
       SELECT false AS opted_in, coalesce(consent_by, 'person') AS consent_by, date_trunc('second', now()) AS consent_at
       FROM strongest
       UNION ALL
       (SELECT (SELECT bool_and(opted_in) FROM side), s.consent_by, s.consent_at FROM side s
        WHERE NOT EXISTS (SELECT FROM strongest)
          AND (s.opted_in AND (SELECT bool_and(opted_in) FROM side) OR NOT s.opted_in)
        ORDER BY s.consent_at DESC NULLS LAST, s.consent_by LIMIT 1)
     ), changed AS (
       UPDATE contacts c SET opted_in = j.opted_in, consent_by = j.consent_by, consent_at = j.consent_at
       FROM joined j WHERE c.account_id = $1 AND c.id = $2
     )
     INSERT INTO consent_decisions (account_id, contact_id, ${DECISION_COLUMNS})
     SELECT $1, $2, false, j.consent_by, j.consent_at, 'merge', $3::uuid::text FROM joined j
     WHERE NOT j.opted_in AND j.consent_at IS NOT NULL`,
    [accountId, keptId, goneId],
  );
}

/** A decision of the ledger, and how many there are. */
export type LedgerRow = Counted<
  Pick<ConsentDecision, 'optedIn' | 'decidedBy' | 'decidedAt' | 'evidenceKind' | 'evidenceId'>
>;

/** Latest first. */
const LEDGER_ORDER = new ListOrder({ decided_at: 'time', number: 'number' });

/** Reads a page of a contact's ledger, the latest decision first. */
export function readLedger(accountId: string, contactId: RecordId, page: Page, db: Database): Promise<LedgerRow[]> {
  return db.rows<LedgerRow>(
    `WITH counted AS (
       SELECT count(*)::integer AS found FROM consent_decisions WHERE account_id = $1 AND contact_id = $2
     ), page AS (
       SELECT number, ${DECISION_COLUMNS} FROM consent_decisions WHERE account_id = $1 AND contact_id = $2
       ${LEDGER_ORDER.pageOf(page, '$3', '$4')}
     )
     SELECT counted.found, ${DECISION_COLUMNS}, ${LEDGER_ORDER.position()} FROM counted LEFT JOIN page ON true
     ${LEDGER_ORDER.by()}`,
    [accountId, contactId, ...LEDGER_ORDER.parameters(page)],
  );
}

/** Whether a contact gets marketing, with the decision in force; all null when nobody has decided. */
export interface Standing {
  readonly contactId: RecordId;
  readonly optedIn: boolean;
  readonly decidedBy: DecidedBy | null;
  readonly decidedAt: Date | null;
  readonly evidenceKind: ConsentDecision['evidenceKind'];
  readonly evidenceId: string | null;
}

/** Finds the standing of the contact with a number in any spelling, deleted or not. */
export function findStanding(accountId: string, number: string, db: Database): Promise<Standing | null> {
  return db.row<Standing>(
    `SELECT c.id AS contact_id, c.opted_in, coalesce(e.decided_by, c.consent_by) AS decided_by,
            coalesce(e.decided_at, c.consent_at) AS decided_at, e.evidence_kind, e.evidence_id
     FROM contacts c
     LEFT JOIN LATERAL (
       SELECT * FROM consent_decisions e
       WHERE e.account_id = c.account_id AND e.contact_id = c.id AND e.opted_in = c.opted_in AND e.decided_at <= c.consent_at
       ORDER BY e.number DESC LIMIT 1
     ) e ON true
     WHERE c.account_id = $1
       AND c.id = (SELECT coalesce(a.merged_into, a.id) FROM contacts a
                   WHERE a.account_id = $1 AND number_key(a.phone_number) = number_key($2) AND NOT a.is_duplicate)`,
    [accountId, number],
  );
}

/** A contact and what identifies it. */
export interface IdentifiedContact {
  readonly id: RecordId;
  readonly phoneNumber: string | null;
  readonly waId: string | null;
  readonly userId: string | null;
}

/** Reads contacts created in a time span, by id. */
export function contactsCreatedBetween(
  accountId: string,
  [from, until]: readonly [Date, Date],
  after: RecordId,
  limit: number,
  db: Database,
): Promise<IdentifiedContact[]> {
  return db.rows<IdentifiedContact>(
    `SELECT id, phone_number, wa_id, user_id FROM contacts
     WHERE account_id = $1 AND created_at >= $2 AND created_at <= $3 AND id > $4 AND deleted_at IS NULL
     ORDER BY id LIMIT $5`,
    [accountId, from, until, after, limit],
  );
}

const UNCHECKED = 'contacts WHERE NOT opted_in AND consent_at IS NULL AND erased_at IS NULL AND merged_into IS NULL';
/** A look: whether the second look of any opt-out is due, or any contact is unchecked. */
export const UNSETTLED_CONSENT = `SELECT coalesce(
       (SELECT true FROM suppressions WHERE look_at <= now() ORDER BY look_at LIMIT 1),
       (SELECT true FROM ${UNCHECKED} ORDER BY account_id, id LIMIT 1))`;

/** Finds contacts made while the hash key could not be read. Pipeline statement: it covers all accounts. */
export function findUnchecked(
  limit: number,
  db: Database,
): Promise<(IdentifiedContact & { readonly accountId: string })[]> {
  return db.rows(
    `SELECT account_id, id, phone_number, wa_id, user_id FROM ${UNCHECKED}
     ORDER BY account_id, id LIMIT $1`,
    [limit],
  );
}

/** Opts in a contact that was opted out only because nobody could tell; not if somebody has decided since. */
export async function clearUnchecked(accountId: string, contactId: RecordId, tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE contacts SET opted_in = true, updated_at = now()
     WHERE account_id = $1 AND id = $2 AND NOT opted_in AND consent_at IS NULL`,
    [accountId, contactId],
  );
}
