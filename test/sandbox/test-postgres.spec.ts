import pg from 'pg';
import { Program } from './program.js';

// Joins like another test run, creates a database, and leaves on SIGTERM.
const OTHER_RUN = {
  setup: `
    import pg from 'pg';
    import { joinTestPostgres } from './scripts/test-postgres.mjs';
    const { url, run, leave } = await joinTestPostgres();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('CREATE DATABASE "t_' + run + '_w1"');
    await client.end();`,
  announce: 'run',
  leave: 'await leave();',
};

// A plain join would not find a durable or external server.
const shared = process.env['TEST_PG_DURABLE'] !== '1' && process.env['TEST_PG_EXTERNAL'] !== '1';

(shared ? describe : describe.skip)('the PostgreSQL of the tests', () => {
  let client: pg.Client;

  beforeAll(async () => {
    client = new pg.Client({ connectionString: process.env['TEST_PG_URL'] });
    await client.connect();
  });

  afterAll(() => client.end());
  afterEach(() => Program.killAll());

  const databases = async (run: string | undefined) => {
    const { rows } = await client.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [`t_${run}_`],
    );
    return rows.map(({ datname }) => datname);
  };
  const otherRun = async () => {
    const program = Program.resident(OTHER_RUN);
    const run = await program.until('a run', () => /^(\S+)\n/.exec(program.stdout)?.[1]);
    return { program, run };
  };

  it('is shared with another run of the same checkout, and outlives it', async () => {
    const { program, run } = await otherRun();
    expect(await databases(run)).toHaveLength(1);
    program.kill('SIGTERM');
    expect(await program.exit).toBe(0);
    expect(await databases(run)).toEqual([]);
  });

  it('removes the leftovers of a killed run, and nothing else', async () => {
    const mine = `t_${process.env['TEST_RUN']}_kept`;
    await client.query(`CREATE DATABASE "${mine}"`);
    const killed = await otherRun();
    killed.program.kill('SIGKILL');
    await killed.program.exit;
    const next = await otherRun();
    expect(await databases(killed.run)).toEqual([]);
    expect(await databases(process.env['TEST_RUN'])).toContain(mine);
    next.program.kill('SIGTERM');
    await next.program.exit;
  });
});
