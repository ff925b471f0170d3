import type { Config } from 'jest';
import base from '../../jest.config.ts';
import { areas } from './areas.ts';

/** The tests of the area in `STRYKER_AREA`, or of all. They need no stores, so none are started. */
const config: Config = {
  rootDir: '../..',
  testTimeout: base.testTimeout!,
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } },
    ],
  },
  testMatch: areas
    .filter(({ name }) => name === (process.env.STRYKER_AREA ?? name))
    .flatMap(({ tests }) => tests.map((test) => `<rootDir>/${test}`)),
  testPathIgnorePatterns: ['/node_modules/'],
  modulePathIgnorePatterns: ['<rootDir>/.local'],
};

export default config;
