import path from 'node:path';
import pg from 'pg';
import { parseEncryptionKeys } from '../../src/config/environment-values.js';
import { SecretBox } from '../../src/database/secrets/secret-box.js';
import { newRecordId } from '../../src/values/record-id.js';
import { FaultProcess } from '../faults/fault-process.js';
import { serviceEnvironment } from '../operations/service-environment.js';
import { emptyDatabase } from '../support/database.js';
import { insertAccount } from '../support/test-account.js';
import { eventually, until } from '../support/until.js';
import { BuiltExtension } from './built-extension.js';

let builds: BuiltExtension;
beforeAll(() => {
  builds = new BuiltExtension();
});
afterAll(() => builds.remove());
afterEach(() => FaultProcess.killAll());

it('a build in a folder of its own contains the extension: tables, routes, scopes, settings and description', async () => {
  // A folder of extensions.
  expect(builds.build('out', path.dirname(builds.copy('team/notes')))).toEqual({ status: 0, stdout: '', stderr: '' });
  const env = serviceEnvironment(await emptyDatabase(), { NOTES_HEADING: 'Things to do' });
  const { stdout } = builds.run('out', ['src/cli.js', '--json', 'migrate'], env);
  const { migrations } = JSON.parse(stdout) as { migrations: string[] };
  expect(migrations).toContain('notes/CreateNotes1790000000001');

  const client = new pg.Client({ connectionString: env['DATABASE_URL'] });
  const secrets = new SecretBox(parseEncryptionKeys(env['ENCRYPTION_KEY'] ?? ''));
  const insert = (sql: string, values: unknown[]) => client.query(sql, values);
  const noteId = newRecordId();
  let [own, foreign] = [{ apiKey: '' }, { apiKey: '' }];
  try {
    await client.connect();
    const { accountId, apiKey } = await insertAccount({ scopes: ['notes:read', 'notes:write'] }, secrets, insert);
    foreign = await insertAccount({ scopes: ['contacts:read'] }, secrets, insert);
    await client.query("INSERT INTO notes_notes VALUES ($1, $2, 'Call Ada')", [accountId, noteId]);
    own = { apiKey };
  } finally {
    await client.end();
  }

  const { baseUrl } = await FaultProcess.service(env, builds.at('out'));
  const notesOf = ({ apiKey }: { apiKey: string }) =>
    fetch(`${baseUrl}/api/v1/notes`, { headers: { authorization: `Bearer ${apiKey}` } });
  const answer = { status: 'success', notes: ['Call Ada'], heading: 'Things to do' };
  // A busy service may refuse a request for a moment.
  await eventually(async () => expect(await (await notesOf(own)).json()).toEqual(answer));
  await eventually(async () => expect((await notesOf(foreign)).status).toBe(403));
  // A PATCH empties what its body has as an empty text, without a word about it in the class.
  const change = { method: 'PATCH', body: '{"text":""}' };
  const headers = { authorization: `Bearer ${own.apiKey}`, 'content-type': 'application/json' };
  await eventually(async () =>
    expect((await fetch(`${baseUrl}/api/v1/notes/${noteId}`, { ...change, headers })).status).toBe(200),
  );
  await eventually(async () => expect(await (await notesOf(own)).json()).toEqual({ ...answer, notes: [''] }));
  await until('it is ready', async () => (await fetch(`${baseUrl}/health/ready`)).status === 200);
  const { paths } = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as { paths: object };
  expect(Object.keys(paths)).toContain('/api/v1/notes');
});

describe('a build', () => {
  const failure = (line: string) => ({ status: 1, stdout: '', stderr: `${line}\n` });

  it('refuses a folder with a wrong name', () => {
    const folder = builds.copy('wrong/Notes-2', 'Notes-2');
    expect(builds.build('out', folder)).toEqual(
      failure(`${folder}: the name of an extension is 2 to 31 small letters, digits and _, and starts with a letter`),
    );
  });

  it('refuses a folder without its module, and a module without @Room', () => {
    const folder = builds.copy('missing/other');
    expect(builds.build('out', path.dirname(folder))).toEqual(
      failure(`${folder}: an extension called other needs other.module.ts`),
    );
    builds.write('missing/other/other.module.ts', 'export default class OtherModule {}');
    expect(builds.build('out', folder)).toEqual(
      failure(`${folder}: other.module.ts must export a class with @Room by default`),
    );
  });

  it('refuses two extensions with one name, and a folder that does not exist', () => {
    const folders = [builds.copy('one/notes'), builds.copy('two/notes')];
    expect(builds.build('out', ...folders)).toEqual(
      failure(`${folders[1]}: another extension is called notes: ${folders[0]}`),
    );
    const nowhere = builds.at('nowhere');
    expect(builds.build('out', nowhere)).toEqual(failure(`EXTENSIONS_DIR: there is no folder ${nowhere}`));
  });
});
