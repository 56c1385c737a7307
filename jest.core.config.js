import base from './jest.config.js';

/**
 * The tests that run on every supported version of PostgreSQL, because their outcome may depend on it: migrations and
 * the schema they make, partitions and other upkeep, every statement in src/ (prepared, not run), the plans of the
 * reads in docs/queries, and some statements that work on sets, which are run. Everything else is tested on one version.
 * @type {import('jest').Config}
 */
// biome-ignore lint/style/noDefaultExport: jest reads a configuration from it
export default {
  ...base,
  roots: ['<rootDir>/test'],
  // These wait for deadlines of connections, which do not depend on the version.
  testPathIgnorePatterns: [...base.testPathIgnorePatterns, '/test/database/(connections|deadlines|pooler)'],
  testMatch: [
    '**/test/database/**/*.spec.ts',
    '**/test/upkeep/**/*.spec.ts',
    '**/test/counters/**/*.spec.ts',
    '**/test/campaigns/row-writes.spec.ts',
    '**/test/contacts/(contact-files|empty-table-plans|ensure-contacts|query-plans|search.property).spec.ts',
    '**/test/messages/sends-in-flight.spec.ts',
    '**/test/webhooks/claim-plans.spec.ts',
  ],
};
