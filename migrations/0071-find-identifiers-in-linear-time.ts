import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds people in texts in time proportional to the text. The old pattern read a long word again from each of its
 * letters: 17 s for 64 KiB. `identifiers_in` lists what a text contains, so that a statement can join it with the tokens
 * of thousands of people; `names_person` compares it with a few.
 */
export class FindIdentifiersInLinearTime1790000000071 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION identifiers_in(body text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT lower(found.word[1] COLLATE "C")
        FROM regexp_matches(body, '${ID_OR_NUMBER}', 'g') AS found (word)
        UNION ALL
        SELECT rtrim(lower(found.word[1] COLLATE "C"), '.')
        FROM regexp_matches(body, '${WORD_OR_ADDRESS}', 'g') AS found (word)
        WHERE position('@' IN body) > 0 AND position('@' IN found.word[1]) > 0
      $$
    `);
    await runner.query(`
      COMMENT ON FUNCTION identifiers_in IS 'the phone numbers, user ids and e-mail addresses in a text, in lower case; redaction.ts finds the same'
    `);
    await runner.query(`
      CREATE OR REPLACE FUNCTION names_person(body text, tokens text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN EXISTS (SELECT FROM identifiers_in(body) AS found (word) WHERE found.word = ANY (tokens))
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION names_person(body text, tokens text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN EXISTS (
          SELECT FROM regexp_matches(body, '${OLD_PATTERN}', 'g') AS found (word)
          WHERE rtrim(lower(found.word[1]), '.') = ANY (tokens)
        )
    `);
    await runner.query('DROP FUNCTION identifiers_in');
  }
}

/** What JavaScript takes for blanks, whatever the locale of the database, then quotes, brackets and punctuation. */
const WORD_ENDS =
  String.raw`\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff` +
  String.raw`"''<>()[\]{},;:@`;
const WORD_OR_ADDRESS = `[^${WORD_ENDS}]+(?:@[^${WORD_ENDS}]+)?`;
const ID_OR_NUMBER = String.raw`(?<![A-Za-z0-9_])[A-Z]{2}\.[A-Za-z0-9]+|[0-9]{7,}`;
const OLD_PATTERN = String.raw`[^\s"''<>()[\]{},;:@]+@[^\s"''<>()[\]{},;:@]+|\m[A-Z]{2}\.[A-Za-z0-9]+|[0-9]{7,}`;
