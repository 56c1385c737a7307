import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What contacts were known by before: callbacks, reports and idempotency keys may still name it, and an erasure has to
 * find them. A trigger fills the column, so that no statement can forget it. Changes from before are not known.
 */
export class RememberFormerIdentities1790000000078 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE contacts
        ADD COLUMN former_identities text[] NOT NULL DEFAULT '{}',
        ADD CONSTRAINT contacts_erased_former_check CHECK (erased_at IS NULL OR former_identities = '{}')
    `);
    await runner.query(`
      COMMENT ON COLUMN contacts.former_identities IS 'the latest 20 numbers, user ids and email addresses that the contact no longer has'
    `);
    await runner.query(`
      CREATE FUNCTION remember_former_identities() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- Processes of the release before erase contacts too, and do not know the column.
        IF NEW.erased_at IS NOT NULL THEN
          NEW.former_identities := '{}';
          RETURN NEW;
        END IF;
        NEW.former_identities := ARRAY(
          SELECT identity FROM (
            SELECT identity, max(place) AS place
            FROM unnest(OLD.former_identities || ARRAY[
              CASE WHEN OLD.phone_number IS DISTINCT FROM NEW.phone_number THEN OLD.phone_number END,
              CASE WHEN OLD.wa_id IS DISTINCT FROM NEW.wa_id THEN OLD.wa_id END,
              CASE WHEN OLD.user_id IS DISTINCT FROM NEW.user_id THEN OLD.user_id END,
              CASE WHEN OLD.email IS DISTINCT FROM NEW.email THEN OLD.email END
            ]) WITH ORDINALITY AS former (identity, place)
            WHERE identity IS NOT NULL
            GROUP BY identity ORDER BY max(place) DESC LIMIT 20
          ) latest
          ORDER BY place
        );
        RETURN NEW;
      END $$
    `);
    await runner.query(`
      CREATE TRIGGER contacts_renamed BEFORE UPDATE OF phone_number, wa_id, user_id, email ON contacts FOR EACH ROW
        WHEN (NEW.erased_at IS NOT NULL
              OR (OLD.phone_number, OLD.wa_id, OLD.user_id, OLD.email)
                 IS DISTINCT FROM (NEW.phone_number, NEW.wa_id, NEW.user_id, NEW.email))
        EXECUTE FUNCTION remember_former_identities()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER contacts_renamed ON contacts');
    await runner.query('DROP FUNCTION remember_former_identities');
    await runner.query(
      'ALTER TABLE contacts DROP CONSTRAINT contacts_erased_former_check, DROP COLUMN former_identities',
    );
  }
}
