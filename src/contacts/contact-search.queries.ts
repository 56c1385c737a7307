import { type Counted, pagedRows } from '../database/sql/page-sql.js';
import type { Tx } from '../database/unit-of-work.js';
import { offsetOf, type Page, type Paged } from '../values/page.js';
import { CONTACTS_OF_PAGE, type ContactRow } from './contacts.queries.js';

/** Matches a search that contains a usable trigram: 3 letters or digits, 2 at the edge of a word, or any non-ASCII. */
const HOLDS_TRIGRAM = /[^\x00-\x7f]|[a-z0-9]{3}|[^a-z0-9][a-z0-9]|[a-z0-9]{2}[^a-z0-9]/i;

/** How many of the newest contacts are sampled to find the trigrams that most contacts share. */
const SAMPLE = 50;

/**
 * The pattern for the trigram index: the search key without the trigrams that at least half of the sampled contacts
 * share, such as a common email domain or country code. Those barely narrow the result, and each costs an index entry
 * per contact of the account. If all trigrams are common, the pattern is the whole key.
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
 * Returns one page of the contacts whose full name, phone number or email contains `search`, newest first. If `search`
 * contains a trigram, the index narrows down candidates by key; the individual fields decide, because the key
 * concatenates them. All matches are collected before the page is cut: otherwise the planner might walk the whole
 * account by age.
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
