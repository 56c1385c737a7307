import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When we last asked the network for pending review decisions. */
export class CreateTemplateReviews1790000000019 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE template_reviews (
        account_id uuid NOT NULL,
        waba_id text NOT NULL,
        looked_at timestamptz NOT NULL,
        CONSTRAINT template_reviews_pkey PRIMARY KEY (account_id, waba_id),
        CONSTRAINT template_reviews_business_account_fkey FOREIGN KEY (account_id, waba_id)
          REFERENCES business_accounts (account_id, waba_id)
      )
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE template_reviews
    `);
  }
}
