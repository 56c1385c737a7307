import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets the agents of an organisation be listed newest first (SPEC §20). */
export class ListAgents1790000000063 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX users_newest_idx ON users (organisation_id, status, created_at, id)
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX users_newest_idx
    `);
  }
}
