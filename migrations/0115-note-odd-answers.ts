import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Attempts note what was odd about a response whose status was understood all the same. */
export class NoteOddAnswers1790000000115 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_attempts ADD COLUMN note text');
    await runner.query(
      `COMMENT ON COLUMN webhook_attempts.note IS 'what was odd about the response, in plain words; null if nothing was'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_attempts DROP COLUMN note');
  }
}
