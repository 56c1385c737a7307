import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets an API key be limited to networks, and lists keys newest first. */
export class AddKeyNetworks1790000000053 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_keys ADD COLUMN allowed_networks text[]
    `);
    await runner.query(`
      COMMENT ON COLUMN api_keys.allowed_networks IS 'CIDRs that the key may be used from; NULL: from anywhere'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_keys DROP COLUMN allowed_networks
    `);
  }
}
