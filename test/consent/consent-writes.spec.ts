import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { outputOf } from '../support/commands.js';

const ROOT = path.resolve(__dirname, '../..');

interface SourceFile {
  readonly file: string;
  readonly text: string;
}

const PROGRAM = `
  import { json } from 'node:stream/consumers';
  import { consentWrites } from './scripts/consent-writes.mjs';
  const files = await json(process.stdin);
  console.log(JSON.stringify(files.flatMap(({ file, text }) => consentWrites(file, text))));
`;

/** What the check says about these files. */
function check(...files: readonly SourceFile[]): string[] {
  const stdout = outputOf(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    cwd: ROOT,
    input: JSON.stringify(files),
  });
  return JSON.parse(stdout) as string[];
}

describe('the check that only the consent room writes consent', () => {
  it.each([
    ['an update', '`UPDATE contacts SET opted_in = true WHERE account_id = $1`'],
    ['an update of several columns', '`UPDATE contacts c\n SET updated_at = now(), opted_in = $2\n WHERE id = $1`'],
    [
      'an update on conflict',
      '`INSERT INTO contacts AS c (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET consent_at = now()`',
    ],
    ['a new contact', '`INSERT INTO contacts (account_id, id, opted_in) VALUES ($1, $2, true)`'],
    ['the ledger', '`INSERT INTO consent_decisions (account_id) VALUES ($1)`'],
    ['a deleted opt-out', '`DELETE FROM suppressions WHERE account_id = $1`'],
    ['the entity', 'await tx.manager.update(Contact, { accountId, id }, { optedIn: true });'],
  ])('finds %s', (_, statement) => {
    const text = `const first = 1;\nconst sql = ${statement};\n`;
    expect(check({ file: 'src/contacts/contacts.queries.ts', text })).toHaveLength(1);
    expect(check({ file: 'src/consent/consent-ledger.queries.ts', text })).toEqual([]);
  });

  it.each([
    '`SELECT opted_in FROM contacts WHERE account_id = $1`',
    '`UPDATE contacts SET updated_at = now() WHERE account_id = $1 AND opted_in = true`',
    `\`INSERT INTO contacts (account_id, id, \${CONSENT_COLUMNS}) SELECT $1, $2, \${consentOfNew(hash)}\``,
  ])('lets %s pass', (statement) => {
    expect(check({ file: 'src/contacts/contacts.queries.ts', text: `const sql = ${statement};` })).toEqual([]);
  });

  it('finds nothing in src/, where it does see what the consent room writes', () => {
    const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => ({ file: `src/${file}`, text: readFileSync(path.join(ROOT, 'src', file), 'utf8') }));
    expect(check(...files)).toEqual([]);
    const moved = files.map(({ file, text }) => ({ file: file.replace('src/consent/', 'src/moved/'), text }));
    expect(check(...moved).length).toBeGreaterThan(5);
  });
});
