/**
 * `npm run stryker [-- AREA...]`: mutates the pure cores and prints each area's score and the
 * mutants that survived. Fails if an area's score is below 95 %.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { type Area, areas } from './areas.ts';

const root = join(import.meta.dirname, '..', '..');
const scoreMinPercent = 95;

const names = process.argv.slice(2);
const unknown = names.filter((name) => !areas.some((area) => area.name === name));
if (unknown.length > 0) {
  const known = areas.map(({ name }) => name).join(', ');
  process.stderr.write(`There is no area ${unknown.join(', ')}. There are: ${known}\n`);
  process.exit(2);
}

/**
 * Mutates an area in a copy of the checkout and runs its tests against each mutant.
 * @throws Error if the tests fail without a mutant.
 */
const mutate = (area: Area) => {
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
  return stryker.runMutationTest();
};

type Mutant = Awaited<ReturnType<typeof mutate>>[number];

const describeSurvivor = ({ fileName, location, replacement, status }: Mutant): string => {
  const { line } = location.start;
  const text = readFileSync(fileName, 'utf8').split('\n')[line - 1]!.trim();
  return `  ${relative(root, fileName)}:${line} ${status}\n    - ${text}\n    + ${replacement}\n`;
};

for (const area of areas.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const mutants = await mutate(area);
  const of = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status));
  const survivors = of('Survived', 'NoCoverage'); // all tests passed, or no test executes the line
  const kills = of('Killed', 'Timeout').length;
  const equivalent = Object.values(area.equivalents ?? {}).reduce((sum, n) => sum + n, 0);
  const survived = Math.max(0, survivors.length - equivalent);
  const percent = (100 * kills) / (kills + survived);
  process.stdout.write(
    `${area.name}: ${percent.toFixed(1)} %, ${kills} killed (${of('Timeout').length} by time), ` +
      `${survived} survived beside ${equivalent} that are equivalent\n${survivors.map(describeSurvivor).join('')}`,
  );
  if (!(percent >= scoreMinPercent)) process.exitCode = 1;
}
