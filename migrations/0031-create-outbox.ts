import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events not fanned out yet: written in the transaction of their change, taken by the outbox relay. */
export class CreateOutbox1790000000031 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbox (
        event_id uuid CONSTRAINT outbox_pkey PRIMARY KEY,
        account_id uuid NOT NULL,
        kind text NOT NULL,
        body text
      ) WITH (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0)
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE outbox
    `);
  }
}
