import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds people in URLs too, whose parts are words and may be percent-encoded: in `?mail=ada%40example.com` no word is an
 * address as it stands, and in `%20491711234567` no number. `identifiers_in` lists what a text contains either way.
 */
export class FindIdentifiersInEncodedUrls1790000000113 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION percent_decoded(body text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT string_agg(
          CASE WHEN piece.text[1] LIKE '\\%_%'
               THEN convert_from(decode(replace(piece.text[1], '%', ''), 'hex'), 'UTF8')
               ELSE piece.text[1] END, '' ORDER BY piece.n)
        FROM regexp_matches(body, '(?i)(?:${CHARACTER})+|[^%]+|%', 'g') WITH ORDINALITY AS piece (text, n)
      $$
    `);
    await runner.query(`
      COMMENT ON FUNCTION percent_decoded IS 'a text without percent-encoding, as far as it encodes characters in UTF-8; url-encoding.ts does the same'
    `);
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

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION identifiers_in(body text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT lower(found.word[1] COLLATE "C")
        FROM regexp_matches(body, '${ID_OR_NUMBER}', 'g') AS found (word)
        UNION ALL
        SELECT rtrim(lower(found.word[1] COLLATE "C"), '.')
        FROM regexp_matches(body, '${WORD_OR_ADDRESS}', 'g') AS found (word)
        WHERE position('@' IN body) > 0 AND position('@' IN found.word[1]) > 0
      $$
    `);
    await runner.query('DROP FUNCTION percent_decoded');
  }
}

/** A percent-encoded character in UTF-8, other than NUL, which no text holds. */
const NEXT = '%[89AB][0-9A-F]';
const CHARACTER = [
  '%(?:0[1-9A-F]|[1-7][0-9A-F])',
  `%(?:C[2-9A-F]|D[0-9A-F])${NEXT}`,
  `%(?:E0%[AB][0-9A-F]|ED%[89][0-9A-F]|E[1-9A-CEF]${NEXT})${NEXT}`,
  `%(?:F0%[9AB][0-9A-F]|F4%8[0-9A-F]|F[1-3]${NEXT})${NEXT}${NEXT}`,
].join('|');
/** What JavaScript takes for blanks, whatever the locale of the database, then quotes, brackets and punctuation. */
const WORD_ENDS =
  String.raw`\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff` +
  String.raw`"''<>()[\]{},;:@`;
const WORD_OR_ADDRESS = `[^${WORD_ENDS}]+(?:@[^${WORD_ENDS}]+)?`;
const ID_OR_NUMBER = String.raw`(?<![A-Za-z0-9_])[A-Z]{2}\.[A-Za-z0-9]+|[0-9]{7,}`;
