import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Surveys and their answers. */
export class CreateSurveys1790000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE surveys_surveys (
        account_id uuid NOT NULL CONSTRAINT surveys_surveys_account_fkey REFERENCES accounts (id),
        id uuid NOT NULL,
        question text NOT NULL,
        options text[] NOT NULL,
        closes_at timestamptz NOT NULL,
        closed_at timestamptz,
        counts integer[],
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT surveys_surveys_pkey PRIMARY KEY (account_id, id)
      )
    `);
    await runner.query(`
      CREATE INDEX surveys_surveys_list_idx ON surveys_surveys (account_id, created_at, id)
    `);
    await runner.query(`
      CREATE INDEX surveys_surveys_due_idx ON surveys_surveys (closes_at) WHERE counts IS NULL
    `);
    await runner.query(`
      CREATE TABLE surveys_answers (
        account_id uuid NOT NULL,
        survey_id uuid NOT NULL,
        contact_id uuid NOT NULL,
        choice integer NOT NULL,
        answered_at timestamptz NOT NULL,
        CONSTRAINT surveys_answers_pkey PRIMARY KEY (account_id, survey_id, contact_id),
        CONSTRAINT surveys_answers_survey_fkey FOREIGN KEY (account_id, survey_id)
          REFERENCES surveys_surveys (account_id, id),
        CONSTRAINT surveys_answers_contact_fkey FOREIGN KEY (account_id, contact_id)
          REFERENCES contacts (account_id, id)
      )
    `);
    await runner.query(`
      CREATE INDEX surveys_answers_list_idx ON surveys_answers (account_id, survey_id, answered_at, contact_id)
    `);
    await runner.query(`
      CREATE INDEX surveys_answers_contact_idx ON surveys_answers (account_id, contact_id)
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE surveys_answers, surveys_surveys
    `);
  }
}
