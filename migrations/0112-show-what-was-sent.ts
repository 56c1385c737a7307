import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Campaigns note how their template looked when they were sent, and the reactions to a message are found. The index is
 * built beside writers, partition by partition, so this runs without a transaction and may be run again after a failure.
 */
export class ShowWhatWasSent1790000000112 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE campaigns ADD COLUMN IF NOT EXISTS sent_templates jsonb');
    await runner.query(`
      COMMENT ON COLUMN campaigns.sent_templates IS 'how its template looked in each run, and from when on; null until it starts'
    `);
    await runner.query(`
      CREATE INDEX IF NOT EXISTS messages_reactions_idx ON ONLY messages (account_id, context_message_id, direction, id)
        WHERE message_type = 'reaction'
    `);
    for (const name of await partitionsWithout(runner)) {
      await runner.query(`DROP INDEX IF EXISTS ${name}_reactions_idx`);
      await runner.query(`
        CREATE INDEX CONCURRENTLY ${name}_reactions_idx ON ${name} (account_id, context_message_id, direction, id)
          WHERE message_type = 'reaction'
      `);
      await runner.query(`ALTER INDEX messages_reactions_idx ATTACH PARTITION ${name}_reactions_idx`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX messages_reactions_idx');
    await runner.query('ALTER TABLE campaigns DROP COLUMN sent_templates');
  }
}

/** The partitions of messages whose index of reactions is not attached. New partitions have theirs from the beginning. */
async function partitionsWithout(runner: QueryRunner): Promise<string[]> {
  const rows: { name: string }[] = await runner.query(`
    SELECT p.inhrelid::regclass::text AS name FROM pg_inherits p
    WHERE p.inhparent = 'messages'::regclass
      AND NOT EXISTS (SELECT FROM pg_index i JOIN pg_inherits a ON a.inhrelid = i.indexrelid
                      WHERE i.indrelid = p.inhrelid AND a.inhparent = 'messages_reactions_idx'::regclass)
    ORDER BY 1
  `);
  return rows.map(({ name }) => name);
}
