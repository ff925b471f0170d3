import type { Config } from 'jest';
import shared from '../../jest.config.ts';

/** `npm run test:faults`: one stack per file, with stores of its own. Not a part of `npm test`. */
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
