import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What lists and searches of contacts read. */
export class IndexContacts1790000000021 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE EXTENSION IF NOT EXISTS pg_trgm
    `);
    // Lets account_id stand in a GIN index beside the trigrams, so that a search reads one tenant's entries only.
    await runner.query(`
      CREATE EXTENSION IF NOT EXISTS btree_gin
    `);
    await runner.query(`
      CREATE INDEX contacts_newest_idx ON contacts (account_id, created_at, id) WHERE deleted_at IS NULL
    `);
    // Trigrams are made of what the database's locale takes for letters, and in the C locale that is ASCII alone. Each
    // byte beyond it becomes three octal digits here, so that names of any script are found through the index.
    await runner.query(`
      CREATE FUNCTION search_key(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN encode(decode(replace(lower(value), '\\', '\\\\'), 'escape'), 'escape')
    `);
    await runner.query(`
      CREATE FUNCTION contact_search_key(first_name text, last_name text, phone_number text, email text)
        RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN search_key(first_name || coalesce(' ' || last_name, '') || ' ' || phone_number || coalesce(' ' || email, ''))
    `);
    await runner.query(`
      COMMENT ON FUNCTION contact_search_key IS 'narrows a search down through contacts_search_idx; the query decides on the fields themselves'
    `);
    await runner.query(`
      CREATE FUNCTION substring_pattern(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN '%' || replace(replace(replace(value, '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'
    `);
    await runner.query(`
      CREATE INDEX contacts_search_idx ON contacts
        USING gin (account_id, contact_search_key(first_name, last_name, phone_number, email) gin_trgm_ops)
        WHERE deleted_at IS NULL
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX contacts_search_idx
    `);
    await runner.query(`
      DROP INDEX contacts_newest_idx
    `);
    await runner.query(`
      DROP FUNCTION contact_search_key, search_key, substring_pattern
    `);
    await runner.query(`
      DROP EXTENSION btree_gin
    `);
    await runner.query(`
      DROP EXTENSION pg_trgm
    `);
  }
}
