import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keeps the URL of each endpoint as it is requested, so that one URL has one spelling. Endpoints of an account that turn
 * out to have the same URL stay: the oldest holds it, and the others are marked and left out of the constraint.
 */
export class CanonicaliseWebhookUrls1790000000082 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoints ADD is_duplicate boolean NOT NULL DEFAULT false
    `);
    await runner.query(`
      COMMENT ON COLUMN webhook_endpoints.is_duplicate IS
        'another endpoint of the account has the same URL, from before URLs were kept in one spelling'
    `);
    await runner.query(`
      DROP INDEX webhook_endpoints_url_key
    `);
    await respell(runner);
    await runner.query(`
      UPDATE webhook_endpoints w SET is_duplicate = true
      FROM (SELECT account_id, id, row_number() OVER (PARTITION BY account_id, url ORDER BY created_at, id) AS place
            FROM webhook_endpoints WHERE deleted_at IS NULL) e
      WHERE w.account_id = e.account_id AND w.id = e.id AND e.place > 1
    `);
    await runner.query(`
      CREATE UNIQUE INDEX webhook_endpoints_url_key ON webhook_endpoints (account_id, url)
        WHERE deleted_at IS NULL AND NOT is_duplicate
    `);
  }

  /** Gives duplicates a fragment, which is never sent, so that the old constraint holds. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX webhook_endpoints_url_key
    `);
    await runner.query(`
      UPDATE webhook_endpoints SET url = url || '#' || id WHERE is_duplicate
    `);
    await runner.query(`
      CREATE UNIQUE INDEX webhook_endpoints_url_key ON webhook_endpoints (account_id, url) WHERE deleted_at IS NULL
    `);
    await runner.query(`
      ALTER TABLE webhook_endpoints DROP COLUMN is_duplicate
    `);
  }
}

interface StoredUrl {
  readonly account_id: string;
  readonly id: string;
  readonly url: string;
}

/** Endpoints per statement. */
const BATCH = 1000;
const NOWHERE = '00000000-0000-0000-0000-000000000000';

async function respell(runner: QueryRunner): Promise<void> {
  for (let last: readonly string[] = [NOWHERE, NOWHERE]; ; ) {
    const stored: StoredUrl[] = await runner.query(
      `SELECT account_id, id, url FROM webhook_endpoints
       WHERE (account_id, id) > ($1, $2) ORDER BY account_id, id LIMIT ${BATCH}`,
      [...last],
    );
    const changed = stored.map((row) => ({ ...row, url: asRequested(row.url) }));
    await runner.query(
      `UPDATE webhook_endpoints w SET url = n.url
       FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS n (account_id, id, url)
       WHERE w.account_id = n.account_id AND w.id = n.id AND w.url <> n.url`,
      [changed.map((row) => row.account_id), changed.map((row) => row.id), changed.map((row) => row.url)],
    );
    const end = stored.at(-1);
    if (end === undefined || stored.length < BATCH) return;
    last = [end.account_id, end.id];
  }
}

/** A URL that cannot be parsed, or that is too long in the other spelling, stays as it is. */
function asRequested(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  if (parsed.hostname.endsWith('.')) parsed.hostname = parsed.hostname.slice(0, -1);
  const { origin, pathname, search } = parsed;
  const requested = `${origin}${pathname}${search}`;
  return requested.length <= 2048 ? requested : url;
}
