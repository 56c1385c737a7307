import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One worker at a time looks for unfinished work: the one that holds this lease. */
export class CreateSweepLease1790000000090 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sweep_lease (
        only_row boolean CONSTRAINT sweep_lease_pkey PRIMARY KEY DEFAULT true
          CONSTRAINT sweep_lease_only_row_check CHECK (only_row),
        holder uuid,
        held_until timestamptz,
        session integer
      )
    `);
    await runner.query(`
      COMMENT ON COLUMN sweep_lease.session IS 'the pid of a database session that ends with the holder; null while there is none'
    `);
    await runner.query('INSERT INTO sweep_lease DEFAULT VALUES');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sweep_lease');
  }
}
