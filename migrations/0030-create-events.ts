import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An append-only log of all events for webhooks. Partitioned by day of id; workers create and drop partitions. */
export class CreateEvents1790000000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE events (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        occurred_at timestamptz NOT NULL,
        kind text NOT NULL,
        body text NOT NULL,
        CONSTRAINT events_pkey PRIMARY KEY (account_id, id)
      ) PARTITION BY RANGE (id)
    `);
    await runner.query(`
      COMMENT ON COLUMN events.body IS 'the exact text of every delivery'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE events
    `);
  }
}
