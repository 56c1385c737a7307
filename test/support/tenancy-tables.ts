/**
 * Every table whose rows belong to one account. test/database/tenancy.spec.ts compares the list with the database, so
 * that the scanner of statements needs no connection.
 */
export const TENANT_TABLES: readonly string[] = [
  'api_keys',
  'business_accounts',
  'business_phones',
  'campaign_recipients',
  'campaigns',
  'contact_group_counts',
  'contact_groups',
  'contact_total_changes',
  'contact_totals',
  'contacts',
  'conversation_assignments',
  'conversation_counts',
  'conversations',
  'events',
  'group_members',
  'idempotency_keys',
  'messages',
  'outbox',
  'parked_reports',
  'phone_throughput',
  'template_reviews',
  'templates',
  'unhandled_callbacks',
  'wallet_entries',
  'wallets',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_endpoints',
];
