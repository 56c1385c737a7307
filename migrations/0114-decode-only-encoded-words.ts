import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds the same people in less time. `identifiers_in` read each text with `%` or `@` twice from end to end: of 100,000
 * callbacks of 500 bytes, 12 s instead of 3 s for a `%` in each, and 29 s instead of 11 s for an e-mail address. The second
 * time it now reads only those parts of a URL that are encoded or have an `@`, since all others mean what they say. It
 * also skips words without `@` in its search for addresses, which had taken most of the time.
 */
export class DecodeOnlyEncodedWords1790000000114 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION identifiers_in(body text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        WITH reading AS (
          SELECT body AS text
          UNION ALL
          SELECT percent_decoded(string_agg(part.text[1], ' '))
          FROM regexp_matches(body, '${URL_PART}', 'g') AS part (text)
          WHERE position('%' IN body) > 0 OR position('@' IN body) > 0
        )
        SELECT lower(found.word[1] COLLATE "C")
        FROM reading r, regexp_matches(r.text, '${ID_OR_NUMBER}', 'g') AS found (word)
        UNION ALL
        SELECT rtrim(lower(found.word[1] COLLATE "C"), '.')
        FROM reading r, regexp_matches(r.text, '${ADDRESS}', 'g') AS found (word)
        WHERE position('@' IN r.text) > 0
      $$
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION identifiers_in(body text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        WITH reading AS (
          SELECT body AS text
          UNION ALL
          SELECT percent_decoded(translate(body, '/?#&=', '     '))
          WHERE position('%' IN body) > 0 OR position('@' IN body) > 0
        )
        SELECT lower(found.word[1] COLLATE "C")
        FROM reading r, regexp_matches(r.text, '${ID_OR_NUMBER}', 'g') AS found (word)
        UNION ALL
        SELECT rtrim(lower(found.word[1] COLLATE "C"), '.')
        FROM reading r, regexp_matches(r.text, '${WORD_OR_ADDRESS}', 'g') AS found (word)
        WHERE position('@' IN r.text) > 0 AND position('@' IN found.word[1]) > 0
      $$
    `);
  }
}

/** What JavaScript takes for blanks, whatever the locale of the database, then quotes, brackets and punctuation. */
const TEXT_ENDS =
  String.raw`\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff` +
  String.raw`"''<>()[\]{},;:`;
const WORD_ENDS = `${TEXT_ENDS}@`;
const ADDRESS = `[^${WORD_ENDS}]+@[^${WORD_ENDS}]+`;
const WORD_OR_ADDRESS = `[^${WORD_ENDS}]+(?:@[^${WORD_ENDS}]+)?`;
/** A part of a URL which is percent-encoded, or has an `@`. */
const URL_PART = `[^${TEXT_ENDS}/?#&=]*(?:@|%[0-9A-Fa-f]{2})[^${TEXT_ENDS}/?#&=]*`;
const ID_OR_NUMBER = String.raw`(?<![A-Za-z0-9_])[A-Z]{2}\.[A-Za-z0-9]+|[0-9]{7,}`;
