import ordinary from './jest.config.js';

/**
 * What every version of PostgreSQL has to pass: the schema, its partitions, and the statements that are more than plain.
 * @type {import('jest').Config}
 */
// biome-ignore lint/style/noDefaultExport: jest reads a configuration from it
export default {
  ...ordinary,
  roots: ['<rootDir>/test'],
  // What waits for deadlines, or never gets as far as the database, is the same on all of them.
  testPathIgnorePatterns: [
    ...ordinary.testPathIgnorePatterns,
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
