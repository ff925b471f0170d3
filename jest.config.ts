import type { Config } from 'jest';

/** Tests run on the real stores that globalSetup brings up once; see dev/testing. */
const config: Config = {
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['**/test/**/*.test.ts', '**/src/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/.local', '/e2e/faults/'],
  // the second is the client's, whose name is that of the root
  modulePathIgnorePatterns: ['/.local', '/clients/typescript/package.json'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } },
    ],
  },
  globalSetup: './dev/testing/src/global-setup.ts',
  globalTeardown: './dev/testing/src/global-teardown.ts',
  maxWorkers: 3, // one more than cores: tests wait for stores and processes
  // a worker keeps what each file loaded: with 2 GB of it one garbage collection stops it for a second
  workerIdleMemoryLimit: '700MB',
  testTimeout: 100_000, // some hooks start a complete local stack
};

export default config;
