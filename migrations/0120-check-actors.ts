import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Checks the actors of stored entries. Apart from the change of the rule, so that it blocks neither readers nor writers. */
export class CheckActors1790000000120 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audit_entries VALIDATE CONSTRAINT audit_entries_actor_check
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audit_entries
        DROP CONSTRAINT audit_entries_actor_check,
        ADD CONSTRAINT audit_entries_actor_check CHECK (actor IN ('api_key', 'user', 'cli', 'system')) NOT VALID
    `);
  }
}
