import { unguardedTables as unguardedAmong } from '../../src/database/sql/tenancy-scan.js';
import { EXTENSION_RECORDS } from './extension-records.js';
import type { PipelineStatement } from './module-records.js';
import { TENANT_TABLES, TENANT_VIEWS } from './tenancy-tables.js';

/** The allowed exceptions: statements that look up the tenant, and statements that work for all tenants. */
export const PIPELINE_STATEMENTS: readonly PipelineStatement[] = [
  {
    begins: 'SELECT k.id, k.account_id, a.organisation_id,',
    why: 'authentication: the prefix of a key, unique by constraint, identifies the account',
  },
  {
    begins: 'SELECT a.id, a.name, a.status, EXISTS (SELECT FROM contact_purges p WHERE p.account_id = a.id)',
    why: 'authentication: a session belongs to a user, who may enter all accounts of their organisation',
  },
  { begins: 'SELECT account_id FROM api_keys WHERE id = $1', why: 'operators name a key without its account' },
  {
    begins: 'SELECT account_id FROM campaigns WHERE id = $1',
    why: 'operators name a campaign without its account',
  },
  {
    begins: 'SELECT account_id FROM business_phones WHERE id = $1',
    why: 'operators name a phone without its account',
  },
  {
    begins: 'SELECT account_id FROM business_phones WHERE phone_number_id = $1',
    why: 'callbacks name a phone, which belongs to one account by constraint',
  },
  {
    begins: 'SELECT account_id FROM business_accounts WHERE waba_id = $1',
    why: 'callbacks name a business account, which belongs to one account by constraint',
  },
  {
    begins: 'SELECT account_id, id FROM business_phones WHERE look_up_at <= now()',
    why: 'the sweep finds phones of all accounts that are due for a look-up on the network',
  },
  {
    begins: 'SELECT l.account_id, t.waba_id FROM template_looks l JOIN templates t',
    why: 'the sweep finds business accounts of all accounts whose templates are due for a look on the network',
  },
  {
    begins: 'UPDATE sends_in_flight SET lease_until = NULL WHERE (account_id, id) IN',
    why: 'the sweep releases the leases of dead workers, for all accounts',
  },
  {
    begins: 'SELECT g.account_id, g.id FROM campaigns g LEFT JOIN phone_throughput t',
    why: 'the sweep finds campaigns of all accounts with recipients due',
  },
  {
    begins: "SELECT g.account_id, g.id FROM campaigns g WHERE g.status = 'running' AND NOT EXISTS",
    why: 'the sweep finds finished campaigns of all accounts that a crash left running',
  },
  {
    begins: 'UPDATE phone_throughput SET owner = NULL, owned_until = NULL WHERE owner = $1',
    why: 'a process that stops releases all phones that it owned',
  },
  {
    begins: "SELECT account_id, id FROM campaigns WHERE status = 'scheduled' AND scheduled_at <= now()",
    why: 'the sweep finds scheduled campaigns of all accounts that are due',
  },
  {
    begins:
      "SELECT g.account_id, g.id FROM campaigns g WHERE g.status = 'running' AND NOT g.paused AND g.max_failure_percent",
    why: 'the sweep checks the failure rate of running campaigns of all accounts',
  },
  {
    begins: 'SELECT true FROM phone_waits LIMIT 1',
    why: 'an answer to a message ends the wait of its phone; usually no phone of any account waits',
  },
  {
    begins: 'SELECT g.account_id, g.id, g.runs, w.detail FROM phone_waits w JOIN campaigns g',
    why: 'the sweep finds campaigns of all accounts that have waited too long for their phones',
  },
  {
    begins: 'SELECT g.account_id, g.id FROM campaigns g WHERE g.closes_at <= now()',
    why: 'the sweep finds campaigns of all accounts whose sending window has closed',
  },
  {
    begins:
      'SELECT b.account_id, b.id, b.campaign_id, b.message_ids, b.lease_until, b.settle_at, b.unsent FROM sends_in_flight b WHERE b.settle_at',
    why: 'the sweep finds batches of all accounts past the horizon for unknown outcomes',
  },
  {
    begins:
      'SELECT m.account_id, m.id AS message_id FROM accounts a CROSS JOIN LATERAL ( SELECT k.account_id, k.id FROM',
    why: 'the sweep finds messages of all accounts that the network has never reported, account by account',
  },
  {
    begins: 'WITH due AS MATERIALIZED ( SELECT account_id, ctid AS place FROM parked_reports WHERE look_at <= now()',
    why: 'the sweep finds parked reports of all accounts; the join keeps each to messages of its own account',
  },
  {
    begins:
      "WITH unsynced AS MATERIALIZED ( SELECT set_config('synchronous_commit', 'off', true) ), taken AS MATERIALIZED ( DELETE FROM outbox",
    why: 'the relay takes events of all accounts in id order; the join keeps each to endpoints of its own account',
  },
  {
    begins: 'DELETE FROM idempotency_keys WHERE (account_id, family, idempotency_key) IN',
    why: 'the sweep deletes old keys of all accounts',
  },
  {
    begins: 'WITH RECURSIVE pending_files AS (',
    why: 'the sweep steps through the accounts with files to fetch',
  },
  {
    begins: "SELECT account_id, message_id FROM media_files WHERE status = 'discarded'",
    why: 'the sweep deletes discarded files of all accounts',
  },
  {
    begins:
      'SELECT count(*)::float8 AS files, coalesce(sum(size), 0)::float8 AS bytes FROM (SELECT size FROM media_files',
    why: 'the retention report tells operators what the files of all accounts take',
  },
  {
    begins: 'WITH RECURSIVE waiting AS (',
    why: 'the sweep steps through the endpoints of all accounts',
  },
  {
    begins: 'WITH RECURSIVE running AS MATERIALIZED (',
    why: 'metrics tell operators how far the work of all accounts is behind',
  },
  {
    begins: 'SELECT r.account_id, r.endpoint_id FROM webhook_replays r JOIN',
    why: 'the sweep advances the replays of all accounts',
  },
  {
    begins: 'SELECT account_id, id AS endpoint_id FROM webhook_endpoints WHERE deleted_at IS NOT NULL',
    why: 'the sweep removes the remaining rows of deleted endpoints of all accounts',
  },
  {
    begins: 'SELECT account_id FROM erasure_runs UNION SELECT account_id FROM contact_erasures WHERE due_at <= now()',
    why: 'the sweep finds accounts with pending erasures',
  },
  {
    begins: 'SELECT DISTINCT account_id FROM identity_tasks WHERE due_at <= now()',
    why: 'the sweep finds accounts with contacts to merge, or whose messages follow a merge',
  },
  {
    begins: 'SELECT account_id FROM contact_purges ORDER BY requested_at',
    why: 'the sweep finds accounts with a pending purge of all contacts',
  },
  {
    begins: 'SELECT a.id AS account_id FROM accounts a WHERE EXISTS (SELECT FROM contacts c',
    why: 'operators name a contact without its account',
  },
  {
    begins: 'SELECT a.id AS account_id FROM accounts a WHERE EXISTS (SELECT FROM webhook_endpoints e',
    why: 'operators name a webhook without its account',
  },
  {
    begins: 'SELECT a.id AS account_id FROM accounts a WHERE EXISTS (SELECT FROM messages m',
    why: 'operators name a message without its account',
  },
  {
    begins: 'WITH scanned AS MATERIALIZED ( SELECT id, body FROM unhandled_callbacks WHERE account_id IS NULL',
    why: 'erasures also clear callbacks without an account that mention the erased contact',
  },
  {
    begins: 'SELECT account_id, id AS group_id FROM contact_groups WHERE deleted_at IS NOT NULL',
    why: 'the sweep removes the remaining rows of deleted groups of all accounts',
  },
  {
    begins: 'SELECT DISTINCT account_id, counter, subject_id FROM counter_changes',
    why: 'counter changes of all accounts are folded, each into its own counter',
  },
  {
    begins: "SELECT id, status = 'running' AS is_running FROM campaigns",
    why: 'a month is dropped for all accounts or for none',
  },
  {
    begins: 'WITH deleted AS ( DELETE FROM campaigns WHERE (account_id, id) IN',
    why: 'campaigns of all accounts are deleted with the month of their recipients',
  },
  {
    begins:
      'WITH expired AS MATERIALIZED ( SELECT account_id, id, network_message_id, contact_id, business_phone_id FROM messages',
    why: 'rows of other tables that refer to messages are deleted with the month of the messages, for all accounts',
  },
  {
    begins: 'SELECT account_id, identity_hash, written_at FROM suppressions WHERE look_at',
    why: 'the suppression sweep looks for recent opt-outs of all accounts; what it does next names the account',
  },
  {
    begins:
      'SELECT account_id, id, phone_number, wa_id, user_id FROM contacts WHERE NOT opted_in AND consent_at IS NULL',
    why: 'the suppression sweep checks contacts of all accounts that were made without the hash key',
  },
  {
    begins: 'SELECT id FROM unhandled_callbacks ORDER BY id',
    why: 'operators query the age of the oldest callback of all accounts',
  },
  {
    begins: 'DELETE FROM unhandled_callbacks WHERE id IN',
    why: 'old callbacks of all accounts are deleted',
  },
  {
    begins:
      'WITH settled AS MATERIALIZED ( SELECT r.account_id, r.campaign_id, r.contact_id FROM campaign_recipients r WHERE r.code IS NOT NULL',
    why: 'the sweep deletes one-time codes of settled recipients of all accounts',
  },
  {
    begins: 'SELECT account_id FROM code_masking_runs WHERE due_at <= now()',
    why: 'the sweep finds accounts with one-time codes from before they were masked',
  },
  {
    begins: 'UPDATE campaigns g SET code = NULL WHERE g.code IS NOT NULL',
    why: 'the sweep deletes one-time codes of ended campaigns of all accounts',
  },
  ...EXTENSION_RECORDS.flatMap(({ pipelineStatements = [] }) => pipelineStatements),
];

/** Looks of sweeps, alone and together: they tell only whether there is something to do, for all accounts. */
const LOOK = /^SELECT (?:ARRAY\[\(SELECT )?(?:true FROM|coalesce\( ?\(SELECT true FROM) /;

/** Whether a statement is one of the exceptions. */
export function isPipelineStatement(sql: string, list = PIPELINE_STATEMENTS): boolean {
  const statement = normalise(sql);
  return LOOK.test(statement) || list.some(({ begins }) => statement.startsWith(begins));
}

/** The statement on one line, with single spaces. */
export const normalise = (sql: string): string => sql.replace(/\s+/g, ' ').trim();

const TENANT = new Set([...TENANT_TABLES, ...TENANT_VIEWS]);

/** The tenant tables that a statement touches without restricting the account. */
export const unguardedTables = (sql: string): string[] => unguardedAmong(sql, TENANT);
