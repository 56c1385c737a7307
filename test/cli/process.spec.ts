import { Program, removeDataDirectory, temporaryDirectory } from '../sandbox/program.js';
import { workerDatabase } from '../support/database.js';

describe('npm run -s cli', () => {
  let dataDir: string;
  beforeAll(() => {
    dataDir = temporaryDirectory();
  });
  afterAll(async () => {
    await Program.killAll();
    removeDataDirectory(dataDir);
  });

  const run = async (env: Record<string, string>, ...args: string[]) => {
    const program = Program.script('cli.mjs', { DATA_DIR: dataDir, ...env }, args);
    return { code: await program.exit, stdout: program.stdout, stderr: program.stderr };
  };

  it('prints one JSON line on stdout and exits 0', async () => {
    const env = { DATABASE_URL: await workerDatabase() };
    const { code, stdout, stderr } = await run(env, 'accounts', 'create', '--name', 'Acme', '--json');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^\{[^\n]*\}\n$/);
    expect(Object.keys(JSON.parse(stdout))).toEqual(['account_id', 'organisation_id', 'user_id']);
  });

  it('prints one line on stderr and exits 2 for a wrong argument', async () => {
    await expect(run({}, 'accounts', 'create', '--name', 'Acme', '--colour', 'red', '--json')).resolves.toEqual({
      code: 2,
      stdout: '',
      stderr: "error: unknown option '--colour'\n",
    });
  });

  it('prints one line on stderr and exits 1 when the database is down', async () => {
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere' };
    await expect(run(env, 'wallet', 'balance', '--account', '01890a5d-ac96-774b-bcce-b302099a8057')).resolves.toEqual({
      code: 1,
      stdout: '',
      stderr: 'no connection to 127.0.0.1:1: is the server of DATABASE_URL or REDIS_URL running?\n',
    });
  });
});
