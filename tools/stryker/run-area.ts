import { join, relative } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import type { Area } from './areas.ts';
import { type Mutation, mutationOf } from './mutation.ts';

const root = join(import.meta.dirname, '..', '..');

/**
 * Mutates an area in a copy of the checkout and runs its tests against each mutant.
 * @returns all mutants, in the order of their files and lines.
 * @throws Error if the tests fail without a mutant.
 */
export const runArea = async (area: Area): Promise<Mutation[]> => {
  process.env.STRYKER_AREA = area.name; // read by jest.config.ts in Stryker's processes
  const stryker = new Stryker({
    packageManager: 'npm',
    testRunner: 'jest',
    testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    jest: { configFile: 'tools/stryker/jest.config.ts', enableFindRelatedTests: false },
    mutate: [...area.mutate],
    coverageAnalysis: 'perTest',
    // Stryker rewrites a tsconfig with the API of TypeScript 6, which TypeScript 7 does not have
    ignorePatterns: ['/.git', '/.local*', '/deploy', '/docs', '/e2e', '/bench', '/tsconfig*.json'],
    tempDirName: '.local-stryker',
    cleanTempDir: 'always',
    reporters: ['progress-append-only'],
    logLevel: 'error',
    concurrency: 2,
    maxTestRunnerReuse: 25, // each run leaves Jest's modules in memory
    timeoutMS: 20_000,
  } as ConstructorParameters<typeof Stryker>[0]);
  const results = await stryker.runMutationTest();
  return results
    .map((result) => mutationOf(result, relative(root, result.fileName), root))
    .sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
};
