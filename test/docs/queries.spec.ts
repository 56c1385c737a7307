import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DOCUMENTED_READS } from '../../bench/support/documented-reads.js';
import type { LargeTenant } from '../../bench/support/large-tenant.js';
import { recordStatements } from '../../bench/support/recorded-statements.js';

const DIRECTORY = path.resolve(__dirname, '../../docs/queries');
const TENANT: LargeTenant = {
  accountId: 'account',
  organisationId: 'organisation',
  businessPhoneId: 'phone',
  agentId: 'agent',
  contactId: 'contact',
  contactPhone: '4915112345678',
  largestGroupId: 'group',
  smallGroupId: 'group',
};

const onOneLine = (sql: string): string => sql.replace(/\s+/g, ' ').trim();

describe('docs/queries', () => {
  it('has exactly one file per room with documented reads', () => {
    const rooms = new Set(DOCUMENTED_READS.map(({ room }) => `${room}.sql`));
    expect(readdirSync(DIRECTORY).sort()).toEqual([...rooms].sort());
  });

  it.each(DOCUMENTED_READS.map((read) => [read.name, read] as const))('shows what %s sends', async (name, read) => {
    const file = readFileSync(path.join(DIRECTORY, `${read.room}.sql`), 'utf8');
    const [, shown = ''] = file.split(`-- ${name}\n-- ${read.requests}\n`);
    const statements = await recordStatements((tx) => read.run(TENANT, { page: 1, limit: 20 }, tx));
    const wanted = statements.map(({ text }) => `${onOneLine(text)};`).join(' ');
    expect(onOneLine(shown.split('\n-- ')[0] ?? '')).toBe(wanted);
  });
});
