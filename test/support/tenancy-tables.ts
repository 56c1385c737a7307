/**
 * All tables whose rows belong to an account. They are listed here so that the statement scanner needs no connection;
 * test/database/tenancy.spec.ts compares the list with the database.
 */
export const TENANT_TABLES: readonly string[] = [
  'api_keys',
  'audit_entries',
  'business_accounts',
  'business_phones',
  'campaign_recipients',
  'campaigns',
  'contact_erasures',
  'contact_groups',
  'contact_purges',
  'contacts',
  'conversation_assignments',
  'conversations',
  'counter_changes',
  'counters',
  'erasure_runs',
  'events',
  'group_members',
  'idempotency_keys',
  'messages',
  'network_messages',
  'outbox',
  'parked_reports',
  'phone_throughput',
  'sends_in_flight',
  'suppressions',
  'template_reviews',
  'templates',
  'unhandled_callbacks',
  'wallet_entries',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_endpoints',
  'webhook_replays',
];

/** Views over tenant tables with an `account_id` column. */
export const TENANT_VIEWS: readonly string[] = ['counter_amounts', 'erased_contacts', 'listening_accounts'];
