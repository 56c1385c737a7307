import base from './jest.config.js';

/**
 * The console in a real browser, where Chromium is installed. One file at a time: a browser needs the whole machine.
 * @type {import('jest').Config}
 */
// biome-ignore lint/style/noDefaultExport: jest reads a configuration from it
export default {
  ...base,
  roots: ['<rootDir>/test/console/browser'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
