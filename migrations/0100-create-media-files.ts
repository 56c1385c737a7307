import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files of inbound messages are fetched from the network and stored; this is what is known of each. */
export class CreateMediaFiles1790000000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE media_files (
        account_id uuid,
        message_id uuid,
        business_phone_id uuid NOT NULL,
        network_media_id text NOT NULL,
        status text NOT NULL DEFAULT 'pending' CONSTRAINT media_files_status_check
          CHECK (status IN ('pending', 'stored', 'gone', 'too_large', 'refused', 'discarded')),
        mime_type text,
        filename text,
        size integer,
        sha256 text,
        reason text,
        attempts integer NOT NULL DEFAULT 0,
        mismatches integer NOT NULL DEFAULT 0,
        received_at timestamptz NOT NULL DEFAULT now(),
        due_at timestamptz NOT NULL DEFAULT now(),
        leased_until timestamptz,
        tried_at timestamptz,
        CONSTRAINT media_files_pkey PRIMARY KEY (account_id, message_id)
      )
    `);
    await runner.query(`
      COMMENT ON COLUMN media_files.status IS 'discarded: the file must go, and then the row'
    `);
    await runner.query(`
      COMMENT ON COLUMN media_files.due_at IS 'while pending: when it is fetched next; the end of its lease while it is being fetched'
    `);
    await runner.query(`
      CREATE INDEX media_files_due_idx ON media_files (account_id, due_at) WHERE status = 'pending'
    `);
    await runner.query(`
      CREATE INDEX media_files_stored_idx ON media_files (account_id, message_id) WHERE status = 'stored'
    `);
    await runner.query(`
      CREATE INDEX media_files_discarded_idx ON media_files (account_id, message_id) WHERE status = 'discarded'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE media_files');
  }
}
