import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A source of personal data that fails is asked again until it has erased or merged the contact. */
export class CreatePersonalDataDebts1790000000086 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE personal_data_debts (
        account_id uuid NOT NULL,
        contact_id uuid NOT NULL,
        source text NOT NULL,
        retries integer NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT personal_data_debts_pkey PRIMARY KEY (account_id, contact_id, source),
        CONSTRAINT personal_data_debts_contact_fkey FOREIGN KEY (account_id, contact_id) REFERENCES contacts (account_id, id)
      )
    `);
    await runner.query(`
      COMMENT ON TABLE personal_data_debts IS 'contacts that were erased or merged, and sources of personal data that could not follow yet'
    `);
    await runner.query(`
      CREATE INDEX personal_data_debts_due_idx ON personal_data_debts (account_id, due_at)
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE personal_data_debts
    `);
  }
}
