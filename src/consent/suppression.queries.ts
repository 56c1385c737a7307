import type { Database, Tx } from '../database/unit-of-work.js';
import { flatMapInSlices, mapInSlices } from '../runtime/slices.js';
import { spellingsOf } from '../values/number-key.js';
import type { RecordId } from '../values/record-id.js';
import type { DecidedBy, Decision, Evidence, EvidenceKind } from './decision.js';
import { identityHashesOf } from './identity-hashes.service.js';

/** SQL join that adds the row of a person without a contact who opted out, as `suppressed`; all nulls if there is none. */
export const suppressedOf = (accountId: string, identityHash: string): string =>
  `suppressions suppressed ON suppressed.account_id = ${accountId} AND suppressed.identity_hash = ${identityHash}`;

/** The columns in which every statement that creates contacts stores what {@link consentOfNew} yields. */
export const CONSENT_COLUMNS = 'opted_in, consent_at, consent_by';

/**
 * SQL values of {@link CONSENT_COLUMNS} for a new contact, with `suppressed` joined. Without a hash nobody knows whether
 * the person has opted out, so the contact stays opted out, undated, until the key is back.
 */
export const consentOfNew = (identityHash: string): string =>
  `${identityHash} IS NOT NULL AND suppressed.opted_out_at IS NULL, suppressed.opted_out_at, suppressed.opted_out_by`;

/** {@link consentOfNew} of an import, whose file may decide too; `fileSays` is null where it does not. */
export const consentOfImported = (fileSays: string): string =>
  `suppressed.opted_out_at IS NULL AND coalesce(${fileSays}, true),
   CASE WHEN suppressed.opted_out_at IS NOT NULL THEN suppressed.opted_out_at
        WHEN ${fileSays} IS NOT NULL THEN date_trunc('second', now()) END,
   CASE WHEN suppressed.opted_out_at IS NOT NULL THEN suppressed.opted_out_by
        WHEN ${fileSays} IS NOT NULL THEN 'account' END`;

/** SQL columns of a new contact's first ledger row, with `suppressed` joined. */
export const SUPPRESSED_DECISION =
  'false, suppressed.opted_out_by, suppressed.opted_out_at, suppressed.evidence_kind, suppressed.evidence_id';

/** The columns of the ledger behind account and contact, in the order of {@link SUPPRESSED_DECISION}. */
export const DECISION_COLUMNS = 'opted_in, decided_by, decided_at, evidence_kind, evidence_id';

/** The ledger with the columns in which statements that create contacts enter what {@link SUPPRESSED_DECISION} yields. */
export const LEDGER_COLUMNS =
  'consent_decisions (account_id, contact_id, opted_in, decided_by, decided_at, evidence_kind, evidence_id)';

/**
 * SQL of the CTE `lifted`: removes the opt-outs by the account that opt-ins lifted. `$1` is the account.
 *
 * @param source SQL that yields the judged decisions `j` with their identities
 */
export const suppressionsLifted = (source: string, identityHash: string): string =>
  `lifted AS (
       DELETE FROM suppressions s USING ${source}
       WHERE s.account_id = $1 AND s.identity_hash = ${identityHash} AND s.opted_out_by = 'account'
         AND j.opted_in AND j.verdict = 'taken'
     )`;

interface SuppressionRow {
  readonly optedOutBy: DecidedBy;
  readonly optedOutAt: Date;
  readonly evidenceKind: EvidenceKind | null;
  readonly evidenceId: string | null;
}

/** Finds the opt-outs of a person without a contact, oldest first. */
export async function findSuppressions(
  accountId: string,
  hashes: readonly string[],
  db: Database,
): Promise<Decision[]> {
  const rows = await db.rows<SuppressionRow>(
    `SELECT opted_out_by, opted_out_at, evidence_kind, evidence_id FROM suppressions
     WHERE account_id = $1 AND identity_hash = ANY ($2::text[]) ORDER BY opted_out_at`,
    [accountId, hashes],
  );
  return rows.map(({ optedOutBy, optedOutAt, evidenceKind, evidenceId }) => ({
    optedIn: false,
    by: optedOutBy,
    at: optedOutAt,
    evidence: evidenceOf(evidenceKind, evidenceId),
  }));
}

/** A person who may have decided before they were a contact: a number, or the network's user id. */
export interface UnknownPerson {
  readonly accountId: string;
  readonly identity: string;
}

/**
 * Returns the hash by which each person's opt-out is found: that of the number's key, unless one was kept under another
 * spelling. Null while the key of the hashes cannot be decrypted. Pipeline statement: each person names its tenant.
 */
export async function suppressionHashes(people: readonly UnknownPerson[], db: Database): Promise<(string | null)[]> {
  const hashes = identityHashesOf(db);
  const own = await mapInSlices(people, ({ accountId, identity }) => hashes.of(accountId, identity));
  const others = await flatMapInSlices(people, ({ accountId, identity }, index) =>
    spellingsOf(identity).length === 1
      ? []
      : hashes.ofSpellings(accountId, identity).map((hash) => ({ accountId, index, hash })),
  );
  if (others.length === 0) return own;
  const found = await db.rows<{ identityHash: string }>(
    `SELECT s.identity_hash FROM unnest($1::uuid[], $2::text[]) AS wanted (account_id, hash)
     JOIN suppressions s ON s.account_id = wanted.account_id AND s.identity_hash = wanted.hash`,
    [others.map(({ accountId }) => accountId), others.map(({ hash }) => hash)],
  );
  const kept = new Set(found.map(({ identityHash }) => identityHash));
  for (const { index, hash } of others.toReversed()) if (kept.has(hash)) own[index] = hash;
  return own;
}

/** Reads the evidence of a row. */
export const evidenceOf = (kind: EvidenceKind | null, id: string | null): Evidence | null =>
  kind === null || id === null ? null : { kind, id };

/** The opt-out of a person without a contact. */
export interface NewSuppression {
  readonly identityHash: string;
  /** The same for all identities of a person. */
  readonly person: RecordId;
  readonly by: DecidedBy;
  readonly at: Date;
  /** The contact whose ledger holds the evidence; null when `evidence` is it. */
  readonly contactId: string | null;
  readonly evidence: Evidence | null;
}

/** Keeps opt-outs of people without a contact; the latest counts. */
export async function keepSuppressions(
  accountId: string,
  suppressions: readonly NewSuppression[],
  tx: Tx,
): Promise<void> {
  const of = <T>(read: (suppression: NewSuppression) => T): T[] => suppressions.map(read);
  await tx.affected(
    `INSERT INTO suppressions AS s (account_id, identity_hash, person, opted_out_by, opted_out_at, evidence_kind,
                                    evidence_id)
     SELECT DISTINCT ON (k.hash) $1::uuid, k.hash, k.person, k.by, k.at, coalesce(k.kind, e.evidence_kind), coalesce(k.id, e.evidence_id)
     FROM unnest($2::text[], $3::text[], $4::timestamptz[], $5::uuid[], $6::text[], $7::text[], $8::uuid[])
            AS k (hash, by, at, contact_id, kind, id, person)
     LEFT JOIN LATERAL (
       SELECT d.evidence_kind, d.evidence_id FROM consent_decisions d
       WHERE d.account_id = $1 AND d.contact_id = k.contact_id AND NOT d.opted_in
       ORDER BY d.number DESC LIMIT 1
     ) e ON true
     ORDER BY k.hash, k.at DESC
     ON CONFLICT ON CONSTRAINT suppressions_pkey DO UPDATE
     SET person = excluded.person, opted_out_by = excluded.opted_out_by, opted_out_at = excluded.opted_out_at,
         evidence_kind = excluded.evidence_kind, evidence_id = excluded.evidence_id,
         written_at = excluded.written_at, look_at = excluded.look_at
     WHERE excluded.opted_out_at >= s.opted_out_at`,
    [
      accountId,
      of(({ identityHash }) => identityHash),
      of(({ by }) => by),
      of(({ at }) => at),
      of(({ contactId }) => contactId),
      of(({ evidence }) => evidence?.kind ?? null),
      of(({ evidence }) => evidence?.id ?? null),
      of(({ person }) => person),
    ],
  );
}

/**
 * Forgets the opt-outs of people that an opt-in by one of their identities has lifted; a later opt-out stays.
 *
 * @param by whose opt-outs may be lifted; default: everybody's
 */
export async function forgetSuppressions(
  accountId: string,
  hashes: readonly string[],
  until: Date,
  tx: Tx,
  { by = null }: { readonly by?: DecidedBy | null } = {},
): Promise<void> {
  await tx.affected(
    `DELETE FROM suppressions
     WHERE account_id = $1 AND opted_out_at <= $3 AND ($4::text IS NULL OR opted_out_by = $4)
       AND person = ANY (ARRAY(SELECT s.person FROM suppressions s
                               WHERE s.account_id = $1 AND s.identity_hash = ANY ($2::text[])))`,
    [accountId, hashes, until, by],
  );
}

/** An opt-out that contacts may have missed which were created while it was written. */
export interface RecentSuppression {
  readonly accountId: string;
  readonly identityHash: string;
  readonly writtenAt: Date;
}

/** Finds opt-outs whose second look is due. Pipeline statement: it covers all accounts. */
export function findUnsettledSuppressions(limit: number, db: Database): Promise<RecentSuppression[]> {
  return db.rows(
    `SELECT account_id, identity_hash, written_at FROM suppressions
     WHERE look_at <= now() ORDER BY look_at LIMIT $1`,
    [limit],
  );
}

/**
 * Notes that the second look is done, unless the opt-out has been written again since.
 *
 * @param writtenUntil has milliseconds only, unlike the column
 */
export async function settleSuppressions(
  accountId: string,
  hashes: readonly string[],
  writtenUntil: Date,
  db: Database,
): Promise<void> {
  await db.affected(
    `UPDATE suppressions SET look_at = NULL
     WHERE account_id = $1 AND identity_hash = ANY ($2::text[]) AND look_at <= now()
       AND date_trunc('milliseconds', written_at) <= $3`,
    [accountId, hashes, writtenUntil],
  );
}
