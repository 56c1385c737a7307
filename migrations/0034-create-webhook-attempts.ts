import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A log of delivery attempts. Partitioned by day of the delivery's id; workers create and drop partitions. */
export class CreateWebhookAttempts1790000000034 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_attempts (
        account_id uuid NOT NULL,
        delivery_id uuid NOT NULL,
        at timestamptz NOT NULL,
        status_code integer,
        duration_ms integer NOT NULL,
        error text,
        response text,
        CONSTRAINT webhook_attempts_pkey PRIMARY KEY (account_id, delivery_id, at)
      ) PARTITION BY RANGE (delivery_id)
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE webhook_attempts
    `);
  }
}
