import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Callbacks from the network that Parley does not handle: acknowledged and kept for 30 days. */
export class CreateUnhandledCallbacks1790000000029 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE unhandled_callbacks (
        id uuid CONSTRAINT unhandled_callbacks_pkey PRIMARY KEY,
        account_id uuid,
        field text,
        reason text NOT NULL,
        body json NOT NULL,
        received_at timestamptz NOT NULL DEFAULT now()
      )
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE unhandled_callbacks
    `);
  }
}
