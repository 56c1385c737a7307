import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Message templates, unique per business account, name and language. A deleted template stays for the campaigns that
 * use it, but its name is free again.
 */
export class CreateTemplates1790000000018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE templates (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        waba_id text NOT NULL,
        business_phone_id uuid NOT NULL,
        meta_template_id text NOT NULL,
        name text NOT NULL,
        language text NOT NULL,
        category text NOT NULL CONSTRAINT templates_category_check CHECK (category IN ('MARKETING', 'UTILITY', 'AUTHENTICATION')),
        status text NOT NULL CONSTRAINT templates_status_check CHECK (status IN ('APPROVED', 'PENDING', 'REJECTED')),
        network_status text NOT NULL,
        rejection_reason text,
        parameter_format text NOT NULL CONSTRAINT templates_parameter_format_check CHECK (parameter_format IN ('POSITIONAL', 'NAMED')),
        header_format text NOT NULL CONSTRAINT templates_header_format_check
          CHECK (header_format IN ('NONE', 'TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION')),
        body text NOT NULL,
        footer text,
        buttons jsonb NOT NULL DEFAULT '[]',
        components jsonb NOT NULL,
        carousel_cards jsonb,
        limited_time_offer jsonb,
        offer_code text,
        media_url text,
        variable_count integer NOT NULL,
        requires_media boolean NOT NULL,
        is_carousel boolean NOT NULL,
        message_send_ttl_seconds integer,
        deleted_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT templates_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT templates_business_account_fkey FOREIGN KEY (account_id, waba_id)
          REFERENCES business_accounts (account_id, waba_id),
        CONSTRAINT templates_business_phone_fkey FOREIGN KEY (account_id, business_phone_id)
          REFERENCES business_phones (account_id, id)
      )
    `);
    await runner.query(`
      CREATE UNIQUE INDEX templates_name_key ON templates (account_id, waba_id, name, language) WHERE deleted_at IS NULL
    `);
    await runner.query(`
      CREATE INDEX templates_account_name_idx ON templates (account_id, name) WHERE deleted_at IS NULL
    `);
    await runner.query(`
      CREATE INDEX templates_meta_template_id_idx ON templates (account_id, meta_template_id)
    `);
    await runner.query(`
      CREATE INDEX templates_pending_idx ON templates (account_id, waba_id) WHERE status = 'PENDING' AND deleted_at IS NULL
    `);
    await runner.query(`
      CREATE TRIGGER templates_epoch AFTER INSERT OR UPDATE OR DELETE ON templates
        FOR EACH STATEMENT EXECUTE FUNCTION advance_configuration_epoch()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE templates
    `);
  }
}
