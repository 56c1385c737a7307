import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An uploaded file goes to the network once for each business phone that sends it; this is the id it has there. */
export class CreateNetworkCopies1790000000108 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE network_copies (
        account_id uuid,
        file_id uuid,
        business_phone_id uuid,
        network_media_id text,
        uploaded_at timestamptz,
        refused_at timestamptz,
        lease_id uuid,
        leased_until timestamptz,
        CONSTRAINT network_copies_pkey PRIMARY KEY (account_id, file_id, business_phone_id),
        CONSTRAINT network_copies_file_fkey FOREIGN KEY (account_id, file_id)
          REFERENCES uploaded_files (account_id, id) ON DELETE CASCADE
      )
    `);
    await runner.query(`
      COMMENT ON COLUMN network_copies.refused_at IS 'when the network last refused an id as one that it does not know'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE network_copies');
  }
}
