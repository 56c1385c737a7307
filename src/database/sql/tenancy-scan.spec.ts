import { objectionTo } from './tenancy-scan.js';

const TABLES = new Set(['contacts', 'messages', 'notes']);

describe('a statement on behalf of one account', () => {
  it.each([
    'SELECT * FROM contacts WHERE account_id = $1 AND id = $2 FOR UPDATE',
    'SELECT name FROM organisations WHERE id = $1',
    "INSERT INTO notes (account_id, text) VALUES ($1, 'delete from organisations; COMMIT') ON CONFLICT DO NOTHING",
    'INSERT INTO notes (account_id, text) VALUES ($1, $2) ON CONFLICT (account_id) DO UPDATE SET text = excluded.text',
    'WITH gone AS (DELETE FROM notes WHERE account_id = $1 RETURNING *) SELECT count(*) FROM gone;',
    'UPDATE ONLY public.notes n SET text = $2 FROM contacts c WHERE c.account_id = $1 AND n.account_id = c.account_id',
    'UPDATE "notes" SET "text" = $2 WHERE "account_id" = $1',
  ])('may be %s', (sql) => {
    expect(objectionTo(sql, TABLES)).toBeNull();
  });

  it.each([
    ['COMMIT', 'it begins with "commit"'],
    ['SET LOCAL statement_timeout = 0', 'it begins with "set"'],
    ['DO $$ BEGIN COMMIT; END $$', 'it begins with "do"'],
    ['SELECT 1; ROLLBACK', 'it is several statements'],
    ["SELECT set_config('statement_timeout', '0', true)", 'it calls set_config'],
    ['SELECT pg_catalog.pg_terminate_backend(pg_backend_pid())', 'it calls pg_terminate_backend'],
    ['UPDATE organisations SET name = $1', 'it writes to "organisations", whose rows belong to no account'],
    ['WITH d AS (DELETE FROM users) SELECT 1', 'it writes to "users", whose rows belong to no account'],
    ['UPDATE contacts SET first_name = $1', 'it does not restrict the account of "contacts"'],
    ['SELECT * FROM messages_202601 WHERE id = $1', 'it does not restrict the account of "messages"'],
    ['INSERT INTO notes (text) VALUES ($1)', 'it does not restrict the account of "notes"'],
  ])('may not be %s', (sql, objection) => {
    expect(objectionTo(sql, TABLES)).toBe(objection);
  });
});
