import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys and secrets of stored answers, apart from the rest of the answer: only a replay needs them. */
export class AddShownOnceToIdempotencyKeys1790000000073 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE idempotency_keys ADD COLUMN shown_once text');
    await runner.query(`
      COMMENT ON COLUMN idempotency_keys.shown_once IS 'keys and secrets of the answer, which only its replay shows: AES-256-GCM, bound to account, family and owner; null if there are none'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE idempotency_keys DROP COLUMN shown_once');
  }
}
