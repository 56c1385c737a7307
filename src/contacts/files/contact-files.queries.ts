import { appliedDecisions } from '../../consent/consent-ledger.queries.js';
import { identityHashesOf } from '../../consent/identity-hashes.service.js';
import {
  CONSENT_COLUMNS,
  consentOfImported,
  LEDGER_COLUMNS,
  SUPPRESSED_DECISION,
  suppressedOf,
  suppressionHashes,
  suppressionsLifted,
} from '../../consent/suppression.queries.js';
import type { Database, Tx } from '../../database/unit-of-work.js';
import {
  type ColumnName,
  type ContactRow,
  columnList,
  DETAIL_COLUMNS,
  emptyOf,
  fieldOf,
  GIVEN_COLUMNS,
  TEXT_COLUMNS,
} from '../../people/contact-columns.js';
import { PHONE_NUMBER_CONFLICT } from '../../people/person-keys.js';
import { newRecordId, type RecordId } from '../../values/record-id.js';
import { CONTACT_COLUMNS } from '../contacts.queries.js';
import type { ImportedContact, RowFault } from './contact-csv.js';

/**
 * Creates the staging table of one import, which only its transaction can see and which is dropped at commit. The
 * larger pending list lets the search index take new entries in bigger batches; {@link flushSearchIndex} merges the
 * last one.
 */
export async function beginImport(tx: Tx): Promise<void> {
  await tx.rows("SET LOCAL gin_pending_list_limit = '64MB'");
  await tx.rows("SET LOCAL work_mem = '64MB'");
  await tx.rows(
    `CREATE TEMPORARY TABLE staged_contacts (
       line integer, given text, id uuid, key text, ${GIVEN_COLUMNS.map((name) => `${name} ${typeOf(name)}`).join(', ')},
       opted_in boolean, identity_hash text
     ) ON COMMIT DROP`,
  );
}

/**
 * Stages rows of an import without applying them. They are sent as one JSON text, because an array per column would
 * create several short-lived objects per cell.
 */
export async function stageContacts(accountId: string, rows: readonly ImportedContact[], tx: Tx): Promise<void> {
  const people = rows.map(({ phoneNumber: identity }) => ({ accountId, identity }));
  const hashes = await suppressionHashes(people, tx);
  await tx.affected(
    `INSERT INTO staged_contacts
     SELECT line, given, id, number_key("phoneNumber"), ${GIVEN_COLUMNS.map((name) => `"${fieldOf(name)}"`).join(', ')},
            "optedIn", "identityHash"
     FROM json_to_recordset($1::json)
       AS r (line integer, given text, id uuid,
             ${GIVEN_COLUMNS.map((name) => `"${fieldOf(name)}" ${typeOf(name)}`).join(', ')},
             "optedIn" boolean, "identityHash" text)`,
    [JSON.stringify(rows.map((row, index) => ({ id: newRecordId(), ...row, identityHash: hashes[index] ?? null })))],
  );
}

/** Shows the database that the transaction of an import goes on, though there is nothing to store yet. */
export async function keepOpen(tx: Tx): Promise<void> {
  await tx.rows('SELECT');
}

/**
 * Removes staged rows that would create a contact without a first name. Existing contacts have one, provided that they
 * keep their number until {@link applyImport}.
 */
export async function rejectNamelessRows(accountId: string, tx: Tx): Promise<RowFault[]> {
  await followAliases(accountId, tx);
  return tx.rows<RowFault>(
    `WITH nameless AS (
       SELECT key FROM staged_contacts GROUP BY key HAVING count(first_name) = 0
     ), known AS MATERIALIZED (
       SELECT number_key(c.phone_number) AS key FROM contacts c
       WHERE c.account_id = $1 AND number_key(c.phone_number) IN (SELECT n.key FROM nameless n) AND NOT c.is_duplicate
     )
     DELETE FROM staged_contacts s USING nameless
     WHERE s.key = nameless.key AND s.key NOT IN (SELECT k.key FROM known k)
     RETURNING s.line, s.given AS phone_number, 'first_name is required for a new contact' AS error`,
    [accountId],
  );
}

/**
 * Gives rows the key of the contact that their number leads to, where that one has another number.
 *
 * @returns how many rows
 */
function followAliases(accountId: string, tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE staged_contacts m SET key = number_key(c.phone_number)
     FROM contacts a JOIN contacts c ON c.account_id = a.account_id AND c.id = a.merged_into
     WHERE a.account_id = $1 AND a.merged_into IS NOT NULL AND number_key(a.phone_number) = m.key AND NOT a.is_duplicate
       AND c.phone_number IS NOT NULL`,
    [accountId],
  );
}

const typeOf = (column: ColumnName): string => (column === 'tags' ? 'text[]' : 'text');
const orElse = (value: string, other: string | null): string =>
  other === null ? value : `coalesce(${value}, ${other})`;
/** What contact `c` has of a column after the row `m`. */
const imported = (column: ColumnName): string => orElse(`m.${column}`, `c.${column}`);

/** A number lost its contact or began to lead to another one during an import; a retry finds that one or reports the row. */
export class NumberMoved extends Error {}

/** The last non-empty value of a column among the rows of one person. */
const latest = (column: string): string =>
  `(array_agg(${column} ORDER BY line DESC) FILTER (WHERE ${column} IS NOT NULL))[1]`;

/** Merges rows about the same person: in each column, the last non-empty cell counts, and the first spelling. */
async function mergeStaged(accountId: string, tx: Tx): Promise<void> {
  await followAliases(accountId, tx);
  await tx.affected(
    `WITH doubled AS (
       SELECT key FROM staged_contacts GROUP BY key HAVING count(*) > 1
     ), merged AS (
       DELETE FROM staged_contacts s USING doubled WHERE s.key = doubled.key
       RETURNING s.*
     )
     INSERT INTO staged_contacts
     SELECT max(line), ${latest('given')}, ${latest('id')}, key, (array_agg(phone_number ORDER BY line))[1],
            ${TEXT_COLUMNS.map(latest).join(', ')},
            -- Arrays of different lengths cannot be aggregated into one.
            CASE WHEN count(tags) > 0 THEN ARRAY(SELECT json_array_elements_text(${latest('to_json(tags)')})) END,
            ${latest('opted_in')}, min(identity_hash)
     FROM merged GROUP BY key`,
  );
}

/** The outcome of applying the staged rows. */
export interface AppliedImport {
  readonly created: number;
  /** Rows whose opt-in was not applied, by line. */
  readonly keptOptOuts: readonly KeptOptOut[];
}

/** A row whose opt-in may not lift the opt-out of its person. */
export interface KeptOptOut {
  readonly line: number;
  /** As written in the file. */
  readonly phoneNumber: string;
  readonly since: Date;
}

/**
 * Applies the staged rows; an empty cell leaves the value unchanged. The first pass creates new contacts and locks
 * existing ones, in the order of their numbers like all writers. The second pass updates those that change, the third
 * enters what the file decides about consent.
 *
 * @param evidence what proves the file's decisions; the line is added
 * @throws NumberMoved when a contact has just lost its number and its row has no name for a new contact, or when a number
 * has just begun to lead to another contact
 * @throws DomainError 503 when a contact is new and nobody can tell whether its person has opted out
 */
export async function applyImport(accountId: string, evidence: string, tx: Tx): Promise<AppliedImport> {
  await mergeStaged(accountId, tx);
  const staged = await tx.row<{ numbers: number; deciding: number }>(
    'SELECT count(*)::integer AS numbers, count(opted_in)::integer AS deciding FROM staged_contacts',
  );
  const { created, nameless } = await insertStaged(accountId, evidence, tx);
  if (nameless > 0) throw new NumberMoved();
  const { numbers = 0, deciding = 0 } = staged ?? {};
  const hashes = identityHashesOf(tx);
  if (created > 0 && !hashes.isReadable) throw hashes.unreadable('nothing was imported');
  if (created < numbers) {
    await tx.rows('ANALYZE staged_contacts');
    if ((await followAliases(accountId, tx)) > 0) throw new NumberMoved();
    await updateFromStaged(accountId, tx);
  }
  return { created, keptOptOuts: deciding === 0 ? [] : await decideStaged(accountId, evidence, tx) };
}

/** Creates the contacts whose numbers are new, with what their people or the file decided. */
async function insertStaged(
  accountId: string,
  evidence: string,
  tx: Tx,
): Promise<{ readonly created: number; readonly nameless: number }> {
  const row = await tx.row<{ created: number; nameless: number }>(
    `WITH inserted AS (
       INSERT INTO contacts AS c (account_id, id, ${GIVEN_COLUMNS.join(', ')}, source, ${CONSENT_COLUMNS})
       SELECT $1, id, ${GIVEN_COLUMNS.map((name) => orElse(name, emptyOf(name))).join(', ')}, 'import',
              ${consentOfImported('m.opted_in')}
       FROM staged_contacts m LEFT JOIN ${suppressedOf('$1', 'm.identity_hash')}
       ORDER BY key
       ON CONFLICT ${PHONE_NUMBER_CONFLICT} DO UPDATE SET updated_at = c.updated_at WHERE false
       RETURNING c.id, c.first_name
     ), decided AS (
       INSERT INTO ${LEDGER_COLUMNS}
       SELECT $1, d.*
       FROM inserted i JOIN staged_contacts m ON m.id = i.id
       LEFT JOIN ${suppressedOf('$1', 'm.identity_hash')}
       CROSS JOIN LATERAL (
         SELECT i.id, ${SUPPRESSED_DECISION} WHERE suppressed.opted_out_at IS NOT NULL
         UNION ALL
         SELECT i.id, m.opted_in, 'account', date_trunc('second', now()), 'import', $2 || ':' || m.line
         WHERE suppressed.opted_out_at IS NULL AND m.opted_in IS NOT NULL
       ) d
     )
     SELECT count(*)::integer AS created, count(*) FILTER (WHERE first_name = '')::integer AS nameless FROM inserted`,
    [accountId, evidence],
  );
  return row ?? { created: 0, nameless: 0 };
}

async function updateFromStaged(accountId: string, tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE contacts c
     SET ${DETAIL_COLUMNS.map((name) => `${name} = ${imported(name)}`).join(', ')},
         deleted_at = NULL, updated_at = now()
     FROM staged_contacts m
     WHERE c.account_id = $1 AND number_key(c.phone_number) = m.key AND NOT c.is_duplicate AND c.merged_into IS NULL
       AND (
         c.deleted_at IS NOT NULL
         OR (${columnList('c', DETAIL_COLUMNS)}) IS DISTINCT FROM (${DETAIL_COLUMNS.map(imported).join(', ')})
       )`,
    [accountId],
  );
}

/**
 * Enters the file's decisions about contacts that existed, and about new ones whose person had opted out before. An opt-in
 * never lifts an opt-out by the person or the network: a file may be older than it, and one row among thousands is not a
 * decision about one person.
 */
function decideStaged(accountId: string, evidence: string, tx: Tx): Promise<KeptOptOut[]> {
  return tx.rows<KeptOptOut>(
    `WITH ${appliedDecisions(`SELECT c.id AS contact_id, m.opted_in, 'account' AS decided_by,
                                   NULL::timestamptz AS decided_at, false AS lifts, 'import' AS evidence_kind,
                                   $2 || ':' || m.line AS evidence_id
                            FROM staged_contacts m JOIN contacts c
                              ON c.account_id = $1 AND number_key(c.phone_number) = m.key AND NOT c.is_duplicate
                             AND c.merged_into IS NULL
                            WHERE m.opted_in IS NOT NULL AND (c.id <> m.id OR c.opted_in <> m.opted_in)`)}
     , ${suppressionsLifted('judged j JOIN staged_contacts m ON m.key = number_key(j.phone_number)', 'm.identity_hash')}
     SELECT m.line, m.given AS phone_number, j.current_at AS since
     FROM judged j JOIN staged_contacts m ON m.key = number_key(j.phone_number)
     WHERE j.verdict = 'refused' AND m.opted_in
     ORDER BY m.line`,
    [accountId, evidence],
  );
}

/**
 * Merges the pending list of the search index, which every search would otherwise scan. Only the index owner may do
 * this; under another role a later write does it.
 */
export async function flushSearchIndex(tx: Tx): Promise<void> {
  await tx.rows(
    `SELECT gin_clean_pending_list(oid) FROM pg_class
     WHERE oid = 'contacts_search_idx'::regclass AND pg_has_role(relowner, 'USAGE')`,
  );
}

/** Returns up to `limit` contacts with ids greater than `after`, by id, so that concurrent changes repeat none. */
export function contactsAfter(accountId: string, after: RecordId, limit: number, db: Database): Promise<ContactRow[]> {
  return db.rows<ContactRow>(
    `SELECT ${CONTACT_COLUMNS}
     FROM contacts c
     WHERE c.account_id = $1 AND c.id > $2 AND c.deleted_at IS NULL
     ORDER BY c.id
     LIMIT $3`,
    [accountId, after, limit],
  );
}
