import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Campaigns tell who created and started them, and who of the list they were created with is no recipient. */
export class TellWhoRunsCampaigns1790000000116 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE campaigns
         ADD COLUMN created_by uuid, ADD COLUMN created_source text,
         ADD COLUMN started_by uuid, ADD COLUMN started_source text,
         ADD COLUMN group_names text[] NOT NULL DEFAULT '{}',
         ADD COLUMN invalid_phones integer, ADD COLUMN duplicates integer`,
    );
    const comments = {
      created_by: 'the person on whose behalf it was created; null for campaigns of earlier releases',
      created_source: 'api or manual; null for campaigns of earlier releases',
      started_by: 'the person on whose behalf it was first started; null until then, and at its scheduled time',
      started_source: 'api, manual or schedule; null until it is started, and for campaigns of earlier releases',
      group_names: 'the names of its groups as it was created; empty for campaigns of earlier releases',
      invalid_phones: 'listed numbers that nobody can have; null for campaigns of earlier releases',
      duplicates: 'people who were listed again, in the list or a group; null for campaigns of earlier releases',
    };
    for (const [column, comment] of Object.entries(comments)) {
      await runner.query(`COMMENT ON COLUMN campaigns.${column} IS '${comment}'`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE campaigns
         DROP COLUMN created_by, DROP COLUMN created_source, DROP COLUMN started_by, DROP COLUMN started_source,
         DROP COLUMN group_names, DROP COLUMN invalid_phones, DROP COLUMN duplicates`,
    );
  }
}
