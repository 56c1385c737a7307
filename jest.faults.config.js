import ordinary from './jest.config.js';

// Crashes are judged on the real thing: fsync and synchronous_commit on.
process.env.TEST_PG_DURABLE = '1';

/**
 * The fault suite: kills, cut connections, restarts. One at a time, since each wants the whole machine.
 * @type {import('jest').Config}
 */
// biome-ignore lint/style/noDefaultExport: jest reads a configuration from it
export default {
  ...ordinary,
  roots: ['<rootDir>/test/faults'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  testTimeout: 300_000,
};
