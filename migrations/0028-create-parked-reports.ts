import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Status reports that match no message yet: retried after a second, then with backoff, and dropped after 7 days. */
export class CreateParkedReports1790000000028 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE parked_reports (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        network_message_id text NOT NULL,
        report json NOT NULL,
        received_at timestamptz NOT NULL DEFAULT now(),
        look_at timestamptz NOT NULL DEFAULT now() + interval '1 second',
        CONSTRAINT parked_reports_pkey PRIMARY KEY (account_id, id)
      ) WITH (fillfactor = 80)
    `);
    await runner.query(`
      CREATE INDEX parked_reports_look_idx ON parked_reports (look_at)
    `);
    await runner.query(`
      COMMENT ON COLUMN parked_reports.look_at IS 'when to look for its message again; the waits double'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE parked_reports
    `);
  }
}
