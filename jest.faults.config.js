import base from './jest.config.js';

// Crash tests need real durability: fsync and synchronous_commit on.
process.env.TEST_PG_DURABLE = '1';

/**
 * The fault suite: kills, cut connections, restarts. Runs one test at a time because each needs the whole machine.
 * @type {import('jest').Config}
 */
// biome-ignore lint/style/noDefaultExport: jest reads a configuration from it
export default {
  ...base,
  roots: ['<rootDir>/test/faults'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  testTimeout: 300_000,
};
