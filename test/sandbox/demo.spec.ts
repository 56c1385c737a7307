import { Program } from './program.js';

describe('npm run demo', () => {
  afterEach(() => Program.killAll());

  it('sends a campaign from start to finish, and all three witnesses agree', async () => {
    const program = Program.script('demo.mjs', {});
    const code = await program.exit;
    expect(program.stderr).toBe('');
    expect(program.stdout).toMatch(
      / sent +1,000 +1,000 +1,000\n +delivered +1,000 +– +1,000\n +read +1,000 +– +1,000\n/,
    );
    expect(program.stdout).toContain('All three agree');
    expect(code).toBe(0);
  });
});
