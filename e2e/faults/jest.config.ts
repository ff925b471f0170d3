import type { Config } from 'jest';
import shared from '../../jest.config.ts';

/** One stack per file, with stores of its own. `npm test` without `--config` leaves them out. */
const config: Config = {
  ...shared,
  rootDir: '../..',
  testMatch: ['<rootDir>/e2e/faults/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: null,
  globalTeardown: null,
  maxWorkers: 1,
  testTimeout: 240_000,
};

export default config;
