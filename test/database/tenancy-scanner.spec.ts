import { isPipelineStatement, unguardedTables } from '../support/tenancy-scanner.js';

describe('the statement scanner', () => {
  it.each([
    ['a parameter', 'SELECT * FROM contacts WHERE account_id = $1 AND id = $2'],
    ['a parameter on the left', 'SELECT * FROM contacts c WHERE $1 = c.account_id'],
    ['a cast parameter', 'DELETE FROM contacts WHERE account_id = $1::uuid'],
    [
      'a join with a guarded table',
      'SELECT 1 FROM messages m JOIN contacts c ON c.account_id = m.account_id WHERE m.account_id = $1',
    ],
    [
      'an array of tenants',
      'UPDATE messages m SET seen = r.seen FROM unnest($1::uuid[], $2::int[]) AS r (account_id, seen) WHERE m.account_id = r.account_id',
    ],
    [
      'a correlated subquery',
      'SELECT EXISTS (SELECT FROM messages m WHERE m.account_id = c.account_id) FROM contacts c WHERE c.account_id = $1',
    ],
    [
      'conditions in parentheses',
      'SELECT 1 FROM "webhook_endpoints" "WebhookEndpoint" WHERE (("WebhookEndpoint"."account_id" = $1) AND ("WebhookEndpoint"."id" = $2))',
    ],
    [
      'an insert that names the account',
      'INSERT INTO contacts (account_id, id) SELECT $1, id FROM unnest($2::uuid[]) AS id',
    ],
    [
      'an upsert that names the account',
      'INSERT INTO contacts AS c (account_id, id) VALUES ($1, $2) ON CONFLICT (account_id, id) DO UPDATE SET email = NULL',
    ],
    [
      'each arm of a union',
      'SELECT 1 FROM contacts WHERE account_id = $1 UNION ALL SELECT 2 FROM contacts WHERE account_id = $1',
    ],
    [
      'a row among rows',
      'SELECT 1 FROM templates WHERE (account_id, name) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))',
    ],
    ['no tenant table at all', 'SELECT epoch FROM configuration_epoch'],
    ['no data at all', 'CREATE INDEX contacts_idx ON contacts (id)'],
  ])('accepts %s', (_, sql) => {
    expect(unguardedTables(sql)).toEqual([]);
  });

  it.each([
    ['a select by id alone', 'SELECT * FROM contacts WHERE id = $1', ['contacts']],
    ['an account that is only read', 'SELECT account_id FROM contacts c WHERE c.id = $1', ['contacts']],
    ['an update by id alone', 'UPDATE messages SET seen = 1 WHERE id = ANY ($1) RETURNING account_id', ['messages']],
    ['a delete by id alone', 'DELETE FROM outbox WHERE event_id = $1', ['outbox']],
    ['an insert without the account', 'INSERT INTO contacts (id, first_name) VALUES ($1, $2)', ['contacts']],
    [
      'one of two tables',
      'SELECT 1 FROM messages m JOIN contacts c ON c.id = m.contact_id WHERE m.account_id = $1',
      ['contacts'],
    ],
    [
      'tables that are compared with each other alone',
      'SELECT 1 FROM messages m JOIN contacts c ON c.account_id = m.account_id',
      ['messages', 'contacts'],
    ],
    ['a join with accounts alone', 'SELECT 1 FROM api_keys k JOIN accounts a ON a.id = k.account_id', ['api_keys']],
    ['a table after a comma', 'SELECT 1 FROM contacts c, messages m WHERE c.account_id = $1', ['messages']],
    [
      'a subquery',
      'SELECT 1 FROM contacts WHERE account_id = $1 AND id IN (SELECT contact_id FROM messages)',
      ['messages'],
    ],
    [
      'a CTE',
      'WITH gone AS (DELETE FROM group_members RETURNING *) SELECT 1 FROM contacts WHERE account_id = $1',
      ['group_members'],
    ],
    ['one arm of a union', 'SELECT 1 FROM contacts WHERE account_id = $1 UNION SELECT 1 FROM contacts', ['contacts']],
    [
      'rows taken from an unguarded table',
      'DELETE FROM messages WHERE (account_id, id) IN (SELECT account_id, id FROM contacts)',
      ['contacts'],
    ],
    ['a partition of a day', 'SELECT 1 FROM events_20300101 WHERE id = $1', ['events']],
    ['a partition of a month', 'SELECT 1 FROM messages_203001 WHERE id = $1', ['messages']],
    ['a view', 'SELECT sum(amount) FROM counter_amounts WHERE counter = $1', ['counter_amounts']],
    ['a condition in a comment', 'SELECT 1 FROM contacts -- WHERE account_id = $1', ['contacts']],
    ['a condition in a string', "SELECT 1 FROM contacts WHERE email = 'account_id = $1'", ['contacts']],
    ['a table that USING names', 'DELETE FROM messages m USING contacts c WHERE m.account_id = $1', ['contacts']],
  ])('finds %s', (_, sql, tables) => {
    expect(unguardedTables(sql)).toEqual(tables);
  });

  it('recognises a pipeline statement by its beginning, whatever its line breaks', () => {
    const list = [{ begins: 'DELETE FROM outbox WHERE', why: 'a test' }];
    expect(isPipelineStatement('  DELETE FROM outbox\n   WHERE event_id = $1', list)).toBe(true);
    expect(isPipelineStatement('DELETE FROM outbox', list)).toBe(false);
  });
});
