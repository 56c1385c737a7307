import { type Counted, pagedRows } from '../database/sql/page-sql.js';
import type { Tx } from '../database/unit-of-work.js';
import { offsetOf, type Page, type Paged } from '../values/page.js';
import { CONTACTS_OF_PAGE, type ContactRow } from './contacts.queries.js';

/** A text that holds a trigram of the search key: 3 letters or digits, or 2 at the edge of a word, or beyond ASCII. */
const HOLDS_TRIGRAM = /[^\x00-\x7f]|[a-z0-9]{3}|[^a-z0-9][a-z0-9]|[a-z0-9]{2}[^a-z0-9]/i;

/** Newest contacts that show which trigrams most contacts of the account have. */
const SAMPLE = 50;

/**
 * The pattern for the trigram index: the search key without the trigrams that half of the newest contacts have, such as
 * the ending of everybody's address or the beginning of everybody's number. They rule out next to nothing, and the index
 * would read an entry for each contact of the account for each of them. Where all trigrams are such, the whole key.
 */
const NARROW = `sample AS MATERIALIZED (
       SELECT contact_search_key(first_name, last_name, phone_number, email) AS key FROM contacts
       WHERE account_id = $1 AND deleted_at IS NULL
       ORDER BY created_at DESC, id DESC LIMIT ${SAMPLE}
     ), rare AS MATERIALIZED (
       SELECT place FROM term, generate_series(1, length(term.key) - 2) place
       WHERE (SELECT count(*) FROM sample WHERE strpos(sample.key, substr(term.key, place, 3)) > 0) < ${SAMPLE / 2}
     ), narrow AS MATERIALIZED (
       SELECT replace(
           substring_pattern(string_agg(
             CASE WHEN EXISTS (SELECT FROM rare WHERE rare.place BETWEEN letter - 2 AND letter) OR NOT EXISTS (SELECT FROM rare)
                  THEN substr(term.key, letter, 1) ELSE chr(1) END,
             '' ORDER BY letter)),
           chr(1), '%') AS pattern
       FROM term, generate_series(1, length(term.key)) letter
     )`;

/**
 * One page of the contacts whose whole name, phone number or email contains `search`, newest first. Where `search` holds a
 * trigram, the index narrows down by key; the fields themselves decide, since the key runs them together. All matches are
 * gathered before the page is cut, or the planner might walk the whole account in order of age.
 */
export async function searchContacts(
  accountId: string,
  search: string,
  page: Page,
  tx: Tx,
): Promise<Paged<ContactRow>> {
  const narrows = HOLDS_TRIGRAM.test(search);
  const rows = await tx.rows<Counted<ContactRow>>(
    `WITH term AS MATERIALIZED (
       SELECT search_key($4) AS key, substring_pattern(lower($4)) AS folded, substring_pattern($4) AS literal
     ), ${narrows ? `${NARROW}, ` : ''}matched AS MATERIALIZED (
       SELECT id, created_at FROM contacts
       WHERE account_id = $1 AND deleted_at IS NULL
         ${narrows ? 'AND contact_search_key(first_name, last_name, phone_number, email) LIKE (SELECT pattern FROM narrow)' : ''}
         AND (
           lower(first_name || coalesce(' ' || last_name, '')) LIKE (SELECT folded FROM term)
           OR phone_number LIKE (SELECT literal FROM term)
           OR lower(email) LIKE (SELECT folded FROM term)
         )
     ), counted AS (
       SELECT count(*)::integer AS found FROM matched
     ), page AS MATERIALIZED (
       SELECT id, created_at FROM matched ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3
     )
     ${CONTACTS_OF_PAGE}`,
    [accountId, page.limit, offsetOf(page), search],
  );
  return pagedRows(rows, 'id');
}
