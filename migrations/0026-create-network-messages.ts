import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Maps the network's message ids to ours, to match reports without our id and to deduplicate inbound messages. */
export class CreateNetworkMessages1790000000026 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE network_messages (
        account_id uuid NOT NULL,
        network_message_id text NOT NULL,
        message_id uuid NOT NULL,
        outbound boolean NOT NULL,
        CONSTRAINT network_messages_pkey PRIMARY KEY (account_id, network_message_id)
      )
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE network_messages
    `);
  }
}
