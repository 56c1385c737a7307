import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a search ignores, as ranges of a regular expression. */
const IGNORED = [
  // Accents.
  String.raw`\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f`,
  // The points of Hebrew and Arabic.
  String.raw`\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc`,
  // What nobody sees: marks of direction, joiners, variation selectors.
  String.raw`\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff`,
].join('');
/** Letters that are no other letter with an accent, quotes, dashes, and the digits of Arabic and Persian. */
const ALIKE = 'øłđðħŧıς’‘ʼ‐‒–—―−٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹';
/** What they are compared as; quotes are doubled for SQL. */
const ALIKE_AS = `olddhtiσ${"''".repeat(3)}------01234567890123456789`;

/**
 * Searches ignore case, accents, blanks and the punctuation of numbers, and find usernames, user ids and all spellings
 * of a number. Contacts cannot be written while the index is built: 3 s of a processor for 200,000 contacts, 11 s for a
 * million. It is as large as the one before.
 */
export class SearchByFoldedText1790000000089 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX contacts_search_idx');
    await runner.query('DROP FUNCTION contact_search_key, search_key');
    await runner.query(`
      -- Letters are decomposed to drop their accents; the rest is composed again, because the parts of Hangul and kana are
      -- no accents. Most texts are ASCII, at least without their accents, and need little of this. In PL/pgSQL because the
      -- planner would not inline an SQL function that uses its argument so often, and each call would cost more.
      CREATE FUNCTION search_text(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      DECLARE
        folded text;
      BEGIN
        IF octet_length(value) = length(value) AND value NOT LIKE '%  %'
          AND value NOT LIKE E'%\\n%' AND value NOT LIKE E'%\\r%' AND value NOT LIKE E'%\\t%'
        THEN
          RETURN lower(value);
        END IF;
        folded := lower(regexp_replace(normalize(value, NFKD), '[${IGNORED}]+', '', 'g'));
        IF octet_length(folded) <> length(folded) THEN
          IF folded ~ '[${ALIKE}ßæœþ]' THEN
            folded := translate(folded, '${ALIKE}', '${ALIKE_AS}');
            folded := replace(replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
          END IF;
          folded := normalize(folded, NFC);
        END IF;
        RETURN regexp_replace(folded, '[\\t\\n\\r \\u0085\\u1680\\u2028\\u2029]+', ' ', 'g');
      END $$
    `);
    await runner.query(`
      COMMENT ON FUNCTION search_text IS 'what a search compares of a text, stored or searched for: no case, no accents, one blank for several'
    `);
    await runner.query(`
      CREATE FUNCTION search_pattern(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN substring_pattern(btrim(search_text(value)))
    `);
    await runner.query(`
      COMMENT ON FUNCTION search_pattern IS 'matches each search_text that contains the search'
    `);
    await runner.query(`
      -- A national number is found without its 0. With fewer than three digits only a + makes it a number: 1-2 is none.
      CREATE FUNCTION search_digits(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN (
          SELECT given.digits
          FROM (
            SELECT regexp_replace(
              regexp_replace(btrim(search_text(value)), '\\( ?0 ?\\)|[^0-9]', '', 'g'), '^00?(?=[1-9][0-9]{2})', ''
            ) AS digits
          ) given
          WHERE btrim(search_text(value)) ~ '^(?:tel:)?[''(]*\\+?[-./()[\\] 0-9]+$'
            AND (length(given.digits) > 2 OR given.digits <> '' AND strpos(search_text(value), '+') > 0)
        )
    `);
    await runner.query(`
      COMMENT ON FUNCTION search_digits IS 'the digits of a search that is written as a number, else null'
    `);
    await runner.query(`
      CREATE FUNCTION number_spellings(number text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN CASE
          WHEN number !~ '^(?:52|54|55|229)' THEN number
          WHEN number LIKE '52%' THEN regexp_replace(number, '^521?([0-9]{10})$', E'52\\\\1\\x1f521\\\\1')
          WHEN number LIKE '54%' THEN regexp_replace(number, '^549?([0-9]{10})$', E'54\\\\1\\x1f549\\\\1')
          WHEN number LIKE '55%' THEN regexp_replace(number, '^(55[0-9]{2})9?([6-9][0-9]{7})$', E'\\\\1\\\\2\\x1f\\\\19\\\\2')
          ELSE regexp_replace(number, '^229(?:01)?([0-9]{8})$', E'229\\\\1\\x1f22901\\\\1')
        END
    `);
    await runner.query(`
      COMMENT ON FUNCTION number_spellings IS 'all spellings of a number, the one that is number_key first; src/values/number-key.ts does the same'
    `);
    await runner.query(`
      CREATE FUNCTION contact_search_text(
        first_name text, last_name text, username text, email text, user_id text, phone_number text, wa_id text
      ) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN search_text(
          first_name || coalesce(' ' || last_name, '') || coalesce(E'\\x1f' || username, '')
            || coalesce(E'\\x1f' || email, '') || coalesce(E'\\x1f' || user_id, '')
        ) || E'\\x1e' || coalesce(number_spellings(phone_number), '') || coalesce(E'\\x1f' || wa_id, '')
    `);
    await runner.query(`
      COMMENT ON FUNCTION contact_search_text IS 'name, username, email and user id between unit separators; after the record separator the numbers'
    `);
    await runner.query(`
      -- Trigrams are made of what the database's locale takes for letters, and in the C locale that is ASCII alone. Each byte
      -- beyond it becomes three octal digits here, so that names of any script are found through the index.
      CREATE FUNCTION search_key(folded text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN encode(decode(replace(folded, '\\', '\\\\'), 'escape'), 'escape')
    `);
    await runner.query(`
      CREATE FUNCTION contact_search_key(
        first_name text, last_name text, username text, email text, user_id text, phone_number text, wa_id text
      ) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN search_key(contact_search_text(first_name, last_name, username, email, user_id, phone_number, wa_id))
    `);
    await runner.query(`
      COMMENT ON FUNCTION contact_search_key IS 'narrows a search down through contacts_search_idx; contact_search_text decides'
    `);
    await runner.query(`
      CREATE INDEX contacts_search_idx ON contacts
        USING gin (
          account_id,
          contact_search_key(first_name, last_name, username, email, user_id, phone_number, wa_id) gin_trgm_ops
        )
        WHERE deleted_at IS NULL
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX contacts_search_idx');
    await runner.query('DROP FUNCTION contact_search_key, search_key, contact_search_text, number_spellings');
    await runner.query('DROP FUNCTION search_digits, search_pattern, search_text');
    await runner.query(`
      CREATE FUNCTION search_key(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN encode(decode(replace(lower(value), '\\', '\\\\'), 'escape'), 'escape')
    `);
    await runner.query(`
      CREATE FUNCTION contact_search_key(first_name text, last_name text, phone_number text, email text)
        RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN search_key(first_name || coalesce(' ' || last_name, '') || coalesce(' ' || phone_number, '') || coalesce(' ' || email, ''))
    `);
    await runner.query(`
      COMMENT ON FUNCTION contact_search_key IS 'narrows a search down through contacts_search_idx; the query decides on the fields themselves'
    `);
    await runner.query(`
      CREATE INDEX contacts_search_idx ON contacts
        USING gin (account_id, contact_search_key(first_name, last_name, phone_number, email) gin_trgm_ops)
        WHERE deleted_at IS NULL
    `);
  }
}
