import { join } from 'node:path';
import type { Config } from 'jest';

const jest = join(import.meta.dirname, 'dev/testing/src/jest');

/** Tests run on the real stores that globalSetup brings up once; see dev/testing. */
const config: Config = {
  testMatch: ['**/test/**/*.test.ts', '**/src/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/.local', '/e2e/faults/'],
  // the second is the client's, whose name is that of the root
  modulePathIgnorePatterns: ['/.local', '/clients/typescript/package.json'],
  transform: {},
  runtime: `${jest}/native-runtime.ts`,
  testEnvironment: `${jest}/native-environment.ts`,
  testSequencer: `${jest}/sequencer.ts`,
  reporters: ['default', `${jest}/cpu-reporter.ts`],
  globalSetup: './dev/testing/src/global-setup.ts',
  globalTeardown: './dev/testing/src/global-teardown.ts',
  maxWorkers: 3, // one more than cores: tests wait for stores and processes
  // also runs a single file in a worker, so that a handle that a failed test left ends with it
  workerIdleMemoryLimit: '700MB',
  // a worker takes 0.2 to 0.3 s to end, longer on a busy machine; the default is 0.5 s
  workerGracefulExitTimeout: 5000,
  testTimeout: 100_000, // some hooks start a complete local stack
};

export default config;
