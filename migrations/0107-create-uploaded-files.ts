import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Customers upload files that they send by id; this is what is known of each. */
export class CreateUploadedFiles1790000000107 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE uploaded_files (
        account_id uuid,
        id uuid,
        kind text NOT NULL CONSTRAINT uploaded_files_kind_check
          CHECK (kind IN ('image', 'video', 'audio', 'document', 'sticker')),
        mime_type text NOT NULL,
        filename text,
        size integer NOT NULL,
        sha256 text NOT NULL,
        is_animated boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        CONSTRAINT uploaded_files_pkey PRIMARY KEY (account_id, id)
      )
    `);
    await runner.query('CREATE INDEX uploaded_files_expiry_idx ON uploaded_files (account_id, expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE uploaded_files');
  }
}
