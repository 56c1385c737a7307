import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts that are exact in every snapshot, without writers ever waiting for each other: a writer appends its change in
 * its own transaction, a worker folds the changes into the counters later, and a read adds those not yet folded.
 */
export class CreateCounters1790000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE counters (
        account_id uuid NOT NULL,
        counter text NOT NULL,
        subject_id uuid NOT NULL,
        amount bigint NOT NULL,
        CONSTRAINT counters_pkey PRIMARY KEY (account_id, counter, subject_id)
      ) WITH (fillfactor = 50)
    `);
    await runner.query(`
      CREATE TABLE counter_changes (
        account_id uuid NOT NULL,
        counter text NOT NULL,
        subject_id uuid NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        amount bigint NOT NULL,
        CONSTRAINT counter_changes_pkey PRIMARY KEY (account_id, counter, subject_id, id)
      ) WITH (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0)
    `);
    await runner.query(`
      COMMENT ON COLUMN counters.subject_id IS 'what is counted for: the account itself, a group, a campaign, an assignee (all zeros: nobody)'
    `);
    await runner.query(`
      COMMENT ON TABLE counter_changes IS 'changes not yet folded into counters'
    `);
    await runner.query(`
      CREATE VIEW counter_amounts AS
        SELECT account_id, counter, subject_id, amount FROM counters
        UNION ALL
        SELECT account_id, counter, subject_id, amount FROM counter_changes
    `);
    await runner.query(`
      COMMENT ON VIEW counter_amounts IS 'the sum of amount is the exact count'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW counter_amounts
    `);
    await runner.query(`
      DROP TABLE counter_changes
    `);
    await runner.query(`
      DROP TABLE counters
    `);
  }
}
