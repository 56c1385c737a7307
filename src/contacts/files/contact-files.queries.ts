import type { Tx } from '../../database/unit-of-work.js';
import { newRecordId, type RecordId } from '../../values/record-id.js';
import { CONTACT_COLUMNS, type ContactRow, PHONE_NUMBER_CONFLICT } from '../contacts.queries.js';
import { identityHashOf } from '../erasure/identity-hashes.service.js';
import { suppressedOf } from '../erasure/suppression.queries.js';
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
       line integer, given text, id uuid, phone_number text, first_name text, last_name text, email text, company text,
       tags text[], opted_in boolean, identity_hash text
     ) ON COMMIT DROP`,
  );
}

/**
 * Stages rows of an import without applying them. They are sent as one JSON text, because an array per column would
 * create several short-lived objects per cell.
 */
export async function stageContacts(accountId: string, rows: readonly ImportedContact[], tx: Tx): Promise<void> {
  const hash = identityHashOf(tx);
  await tx.affected(
    `INSERT INTO staged_contacts
     SELECT line, given, id, "phoneNumber", "firstName", "lastName", email, company, tags, "optedIn", "identityHash"
     FROM json_to_recordset($1::json)
       AS r (line integer, given text, id uuid, "phoneNumber" text, "firstName" text, "lastName" text, email text,
             company text, tags text[], "optedIn" boolean, "identityHash" text)`,
    [
      JSON.stringify(
        rows.map((row) => ({ id: newRecordId(), ...row, identityHash: hash(accountId, row.phoneNumber) })),
      ),
    ],
  );
}

/**
 * Removes staged rows that would create a contact without a first name. Existing contacts have one, provided that they
 * keep their number until {@link applyImport}.
 */
export function rejectNamelessRows(accountId: string, tx: Tx): Promise<RowFault[]> {
  return tx.rows<RowFault>(
    `WITH nameless AS (
       SELECT phone_number FROM staged_contacts GROUP BY phone_number HAVING count(first_name) = 0
     ), known AS MATERIALIZED (
       SELECT c.phone_number FROM contacts c
       WHERE c.account_id = $1 AND c.phone_number IN (SELECT n.phone_number FROM nameless n)
     )
     DELETE FROM staged_contacts s USING nameless
     WHERE s.phone_number = nameless.phone_number AND s.phone_number NOT IN (SELECT k.phone_number FROM known k)
     RETURNING s.line, s.given AS phone_number, 'first_name is required for a new contact' AS error`,
    [accountId],
  );
}

/** A contact whose name an import relied on lost its number meanwhile; a retry reports the row. */
export class ContactNumberLost extends Error {}

/** The last non-empty value of a column among the rows of one number. */
const latest = (column: string): string =>
  `(array_agg(${column} ORDER BY line DESC) FILTER (WHERE ${column} IS NOT NULL))[1]`;

/** Merges rows with the same number: in each column, the last non-empty cell counts. */
async function mergeStaged(tx: Tx): Promise<void> {
  await tx.affected(
    `WITH doubled AS (
       SELECT phone_number FROM staged_contacts GROUP BY phone_number HAVING count(*) > 1
     ), merged AS (
       DELETE FROM staged_contacts s USING doubled WHERE s.phone_number = doubled.phone_number
       RETURNING s.*
     )
     INSERT INTO staged_contacts
     SELECT max(line), NULL, ${latest('id')}, phone_number, ${latest('first_name')}, ${latest('last_name')},
            ${latest('email')}, ${latest('company')},
            -- Arrays of different lengths cannot be aggregated into one.
            CASE WHEN count(tags) > 0 THEN ARRAY(SELECT json_array_elements_text(${latest('to_json(tags)')})) END,
            ${latest('opted_in')}, min(identity_hash)
     FROM merged GROUP BY phone_number`,
  );
}

/**
 * Applies the staged rows; an empty cell leaves the value unchanged. The first pass creates new contacts and locks
 * existing ones, in the order of their numbers like all writers. The second pass updates those that change. New
 * contacts whose person was erased after opting out are opted out, unless the file sets `opted_in`.
 *
 * @returns how many contacts were created
 * @throws ContactNumberLost when a contact has just lost its number and its row has no name for a new contact
 */
export async function applyImport(accountId: string, tx: Tx): Promise<number> {
  await mergeStaged(tx);
  const staged = await tx.row<{ numbers: number }>('SELECT count(*)::integer AS numbers FROM staged_contacts');
  const inserted = await tx.row<{ created: number; nameless: number }>(
    `WITH inserted AS (
       INSERT INTO contacts AS c (account_id, id, phone_number, first_name, last_name, email, company, tags, opted_in,
                                  consent_at, source)
       SELECT $1, id, phone_number, coalesce(first_name, ''), last_name, email, company,
              coalesce(tags, '{}'), coalesce(opted_in, suppressed.at IS NULL),
              CASE WHEN opted_in IS FALSE THEN date_trunc('second', now()) WHEN opted_in IS NULL THEN suppressed.at END,
              'import'
       FROM staged_contacts m CROSS JOIN ${suppressedOf('$1', 'm.identity_hash')}
       ORDER BY phone_number
       ON CONFLICT ${PHONE_NUMBER_CONFLICT} DO UPDATE SET updated_at = c.updated_at WHERE false
       RETURNING c.first_name
     )
     SELECT count(*)::integer AS created, count(*) FILTER (WHERE first_name = '')::integer AS nameless FROM inserted`,
    [accountId],
  );
  const { created = 0, nameless = 0 } = inserted ?? {};
  if (nameless > 0) throw new ContactNumberLost();
  if (created === staged?.numbers) return created;
  await tx.rows('ANALYZE staged_contacts');
  await tx.affected(
    `UPDATE contacts c
     SET first_name = coalesce(m.first_name, c.first_name), last_name = coalesce(m.last_name, c.last_name),
         email = coalesce(m.email, c.email), company = coalesce(m.company, c.company),
         tags = coalesce(m.tags, c.tags), opted_in = coalesce(m.opted_in, c.opted_in),
         consent_at = CASE WHEN m.opted_in IS FALSE OR m.opted_in <> c.opted_in THEN date_trunc('second', now())
                           ELSE c.consent_at END,
         deleted_at = NULL, updated_at = now()
     FROM staged_contacts m
     WHERE c.account_id = $1 AND c.phone_number = m.phone_number
       AND (
         c.deleted_at IS NOT NULL OR m.opted_in IS FALSE
         OR (c.first_name, c.last_name, c.email, c.company, c.tags, c.opted_in) IS DISTINCT FROM (
           coalesce(m.first_name, c.first_name), coalesce(m.last_name, c.last_name), coalesce(m.email, c.email),
           coalesce(m.company, c.company), coalesce(m.tags, c.tags), coalesce(m.opted_in, c.opted_in)
         )
       )`,
    [accountId],
  );
  return created;
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
export function contactsAfter(accountId: string, after: RecordId, limit: number, tx: Tx): Promise<ContactRow[]> {
  return tx.rows<ContactRow>(
    `SELECT ${CONTACT_COLUMNS}
     FROM contacts c
     WHERE c.account_id = $1 AND c.id > $2 AND c.deleted_at IS NULL
     ORDER BY c.id
     LIMIT $3`,
    [accountId, after, limit],
  );
}
