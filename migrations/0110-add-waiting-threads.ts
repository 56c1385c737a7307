import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when somebody waits for an answer, and agents whose threads are to be released, those deactivated before too. */
export class AddWaitingThreads1790000000110 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE conversations ADD COLUMN waiting_since timestamptz');
    await runner.query(`
      COMMENT ON COLUMN conversations.waiting_since IS 'the time of the first message that nobody has answered; null: nobody waits'
    `);
    await runner.query('ALTER TABLE users ADD COLUMN releases_threads boolean NOT NULL DEFAULT false');
    await runner.query(`
      COMMENT ON COLUMN users.releases_threads IS 'deactivated, and may still hold open conversations'
    `);
    await runner.query("UPDATE users SET releases_threads = true WHERE status = 'deactivated'");
    await runner.query('CREATE INDEX users_releasing_idx ON users (id) WHERE releases_threads');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX users_releasing_idx');
    await runner.query('ALTER TABLE users DROP COLUMN releases_threads');
    await runner.query('ALTER TABLE conversations DROP COLUMN waiting_since');
  }
}
