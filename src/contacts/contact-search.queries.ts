import { NEWEST_FIRST } from '../database/sql/list-order.js';
import { type Counted, pagedRows } from '../database/sql/page-sql.js';
import type { Database } from '../database/unit-of-work.js';
import type { ContactRow } from '../people/contact-columns.js';
import type { Page, Paged } from '../values/page.js';
import { CONTACTS_OF_PAGE } from './contacts.queries.js';

/** What is searched of a contact, as the arguments of `contact_search_text` and `contact_search_key`. */
const SEARCHED = '(first_name, last_name, username, email, user_id, phone_number, wa_id)';

/** A usable trigram: 3 letters or digits, 2 at the edge of a word, or any non-ASCII, which has 3 digits per byte in a key. */
const HOLDS_TRIGRAM = /[^\x00-\x7f]|[a-z0-9]{3}|[^a-z0-9][a-z0-9]|[a-z0-9]{2}[^a-z0-9]/i;
/** Letters, quotes and dashes that `search_text` turns into ASCII. */
const ALIKE = /[øłđðħŧıßæœþ]|([‘’ʼ‐-―−])/gi;

/** Letters of a key that the index narrows by. Choosing among them takes time with their square; the text decides anyway. */
const MAX_KEY = 200;

/** How many of the newest contacts are sampled to find the trigrams that most contacts share. */
const SAMPLE = 50;

/** How the statement of a search is built. None of this changes what is found. */
interface Shape {
  /** Whether the search contains a trigram, so that the index narrows it down. */
  readonly narrows: boolean;
  /** Whether it may be written as a number; `search_digits` decides. */
  readonly hasDigits: boolean;
}

function shapeOf(search: string): Shape {
  const folded = search
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\u0640]/gu, '')
    .replace(ALIKE, (_, mark: string | undefined) => (mark ? '-' : 'x'))
    .trim();
  const digits = folded.match(/\p{Nd}/gu)?.length ?? 0;
  const hasDigits = digits > 0 && !/\p{L}/u.test(folded.replace(/^tel:/i, ''));
  const isShortNumber = hasDigits && digits < 3 && folded.includes('+');
  return { narrows: HOLDS_TRIGRAM.test(folded) && !isShortNumber, hasDigits };
}

/**
 * What a contact may contain to be found: the text or, if the search is written as a number, its digits among the
 * contact's numbers. Those follow the record separator, chr(30).
 */
const needles = ({ hasDigits }: Shape, place: string): string => `needle AS MATERIALIZED (
       SELECT false AS is_number, left(search_key(btrim(search_text(${place}))), ${MAX_KEY}) AS key, search_pattern(${place}) AS pattern${
         hasDigits
           ? `
       UNION ALL
       SELECT true, left(search_digits(${place}), ${MAX_KEY}), '%' || chr(30) || substring_pattern(search_digits(${place}))
       WHERE search_digits(${place}) <> btrim(search_text(${place}))`
           : ''
       }
     )`;

/**
 * The patterns for the trigram index: each key without the trigrams that at least half of the sampled contacts share,
 * such as a common email domain or country code. Those barely narrow the result, and each costs an index entry per
 * contact of the account. If all trigrams are common, the pattern is the whole key.
 */
const NARROW = `sample AS MATERIALIZED (
       SELECT contact_search_key${SEARCHED} AS key FROM contacts
       WHERE account_id = $1 AND deleted_at IS NULL
       ORDER BY created_at DESC, id DESC LIMIT ${SAMPLE}
     ), rare AS MATERIALIZED (
       SELECT n.is_number, place FROM needle n, generate_series(1, length(n.key) - 2) place
       WHERE (SELECT count(*) FROM sample WHERE strpos(sample.key, substr(n.key, place, 3)) > 0) < ${SAMPLE / 2}
     ), narrow AS MATERIALIZED (
       SELECT n.is_number, replace(
           substring_pattern(string_agg(
             CASE WHEN EXISTS (SELECT FROM rare r WHERE r.is_number = n.is_number AND r.place BETWEEN letter - 2 AND letter)
                       OR NOT EXISTS (SELECT FROM rare r WHERE r.is_number = n.is_number)
                  THEN substr(n.key, letter, 1) ELSE chr(1) END,
             '' ORDER BY letter)),
           chr(1), '%') AS pattern
       FROM needle n, generate_series(1, length(n.key)) letter
       GROUP BY n.is_number, n.key
     )`;

/** SQL condition: the index leads to the contact. */
const isNear = ({ hasDigits }: Shape): string => {
  const isLike = (needle: string) => `contact_search_key${SEARCHED} LIKE (SELECT pattern FROM narrow WHERE ${needle})`;
  return hasDigits ? `(${isLike('NOT is_number')} OR ${isLike('is_number')})` : isLike('NOT is_number');
};

/** The columns of contact `c` that are searched, but for e-mail addresses. */
const IDENTIFYING = '(c.first_name, c.last_name, c.username, NULL, c.user_id, c.phone_number, c.wa_id)';

/**
 * The CTE that {@link IS_FOUND} needs.
 *
 * @param place of the parameter with the search, such as `$4`
 */
export const needlesOf = (search: string, place: string): string => needles(shapeOf(search), place);

/** Condition on contact `c`: a search finds it, as {@link matchedContacts} does without e-mail addresses. */
export const IS_FOUND = `contact_search_text${IDENTIFYING} LIKE ANY (ARRAY(SELECT pattern FROM needle))`;

/**
 * CTEs of which the last, `matched`, has `id` and `created_at` of the contacts whose text contains a search. If the search
 * contains a trigram, the index narrows down candidates by key; the text decides.
 *
 * @param place of the parameter with the search, such as `$4`
 * @param searched `identifying` leaves out e-mail addresses
 */
export function matchedContacts(search: string, place: string, searched: 'all' | 'identifying' = 'all'): string {
  const shape = shapeOf(search);
  return `${needles(shape, place)}, ${shape.narrows ? `${NARROW}, ` : ''}matched AS MATERIALIZED (
       SELECT id, created_at FROM contacts c
       WHERE account_id = $1 AND deleted_at IS NULL
         ${shape.narrows ? `AND ${isNear(shape)}` : ''}
         AND ${searched === 'all' ? `contact_search_text${SEARCHED} LIKE ANY (ARRAY(SELECT pattern FROM needle))` : IS_FOUND}
     )`;
}

/**
 * Returns one page of the contacts whose full name, username, email, user id or phone number contains `search`, newest
 * first. Case, accents and the number of blanks make no difference, nor does the punctuation of a number; numbers are
 * found in all their spellings.
 *
 * All matches are collected before the page is cut: otherwise the planner might walk the whole account by age.
 */
export async function searchContacts(
  accountId: string,
  search: string,
  page: Page,
  db: Database,
): Promise<Paged<ContactRow>> {
  const rows = await db.rows<Counted<ContactRow>>(
    `WITH ${matchedContacts(search, '$4')}, counted AS (
       SELECT count(*)::integer AS found FROM matched
     ), page AS MATERIALIZED (
       SELECT id, created_at FROM matched WHERE true ${NEWEST_FIRST.pageOf(page, '$2', '$3')}
     )
     ${CONTACTS_OF_PAGE}`,
    [accountId, ...NEWEST_FIRST.parameters(page), search],
  );
  return pagedRows(rows, 'id', page);
}
