import base from './jest.config.js';

/**
 * The tests that run on every supported version of PostgreSQL: the schema, its partitions, and the complex statements.
 * @type {import('jest').Config}
 */
// biome-ignore lint/style/noDefaultExport: jest reads a configuration from it
export default {
  ...base,
  roots: ['<rootDir>/test'],
  // Skips tests that wait for deadlines or never reach the database: they do not depend on the version.
  testPathIgnorePatterns: [
    ...base.testPathIgnorePatterns,
    '/test/campaigns/campaign-(on-redis|stops)',
    '/test/database/(connections|deadlines|pooler)',
    '/test/inbound/callback-bodies',
    '/test/rate-limit/redis-outage',
  ],
  testMatch: [
    '**/test/database/**/*.spec.ts',
    '**/test/campaigns/**/*.spec.ts',
    '**/test/contacts/contacts.spec.ts',
    '**/test/counters/**/*.spec.ts',
    '**/test/conversations/actions.spec.ts',
    '**/test/idempotency/claims.spec.ts',
    '**/test/inbound/**/*.spec.ts',
    '**/test/messages/send-template*.spec.ts',
    '**/test/rate-limit/**/*.spec.ts',
    '**/test/templates/sync*.spec.ts',
    '**/test/upkeep/**/*.spec.ts',
    '**/test/webhooks/delivery.spec.ts',
  ],
};
