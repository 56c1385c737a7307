import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Makes `names_person` find e-mail addresses and user ids, which its pattern missed for want of backslashes. */
export class MatchWordsOfContacts1790000000054 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      namesPerson(String.raw`[^\s"''<>()[\]{},;:@]+@[^\s"''<>()[\]{},;:@]+|\m[A-Z]{2}\.[A-Za-z0-9]+|[0-9]{7,}`),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(namesPerson(`[^s"''<>()[]{},;:@]+@[^s"''<>()[]{},;:@]+|m[A-Z]{2}.[A-Za-z0-9]+|[0-9]{7,}`));
  }
}

/** The function as it looks for the words that `pattern` matches. */
const namesPerson = (pattern: string): string => `
  CREATE OR REPLACE FUNCTION names_person(body text, tokens text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN EXISTS (
      SELECT FROM regexp_matches(body, '${pattern}', 'g') AS found (word)
      WHERE rtrim(lower(found.word[1]), '.') = ANY (tokens)
    )
`;
