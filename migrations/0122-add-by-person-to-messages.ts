import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages of ours say whether a person sent them in the console. */
export class AddByPersonToMessages1790000000122 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages ADD COLUMN by_person boolean');
    await runner.query(`
      COMMENT ON COLUMN messages.by_person IS 'whether agent_user_id sent it in the console; null: somebody else did'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages DROP COLUMN by_person');
  }
}
