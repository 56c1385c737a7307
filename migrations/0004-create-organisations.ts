import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organisations: the employers of users, with their rules for new inbound conversations. */
export class CreateOrganisations1790000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organisations (
        id uuid CONSTRAINT organisations_pkey PRIMARY KEY,
        name text NOT NULL,
        auto_inbound boolean NOT NULL DEFAULT false,
        auto_reply text,
        auto_reply_user_id uuid,
        stop_words text[] NOT NULL DEFAULT '{STOP,UNSUBSCRIBE,OPT OUT}',
        start_words text[] NOT NULL DEFAULT '{START}',
        created_at timestamptz NOT NULL DEFAULT now()
      )
    `);
    await runner.query(`
      COMMENT ON COLUMN organisations.auto_reply_user_id IS 'a member, checked when it is set; no foreign key, which would make a circle with users'
    `);
    await runner.query(`
      CREATE TRIGGER organisations_epoch AFTER INSERT OR UPDATE OR DELETE ON organisations
        FOR EACH STATEMENT EXECUTE FUNCTION advance_configuration_epoch()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE organisations
    `);
  }
}
