import { expect, test } from '@jest/globals';
import { cpuSeconds, readCpuTimes, writeCpuTime } from '../../src/jest/cpu-times.ts';

/** The folder of this run is left as it is: its own times are there. */
const inFolder = <T>(folder: string | undefined, work: () => T): T => {
  const { PTO_TEST_DIR: own } = process.env;
  if (folder === undefined) delete process.env.PTO_TEST_DIR;
  else process.env.PTO_TEST_DIR = folder;
  try {
    return work();
  } finally {
    process.env.PTO_TEST_DIR = own;
  }
};

test('a run without a folder of stores ends as others do, and has no times', () => {
  inFolder(undefined, () => {
    writeCpuTime('a.test.ts', 1);
    expect(readCpuTimes()).toEqual([]);
  });
});

test('a run in which no file has ended has no times', () => {
  expect(inFolder('/no-such-folder', readCpuTimes)).toEqual([]);
});

test('work takes processor time', () => {
  const before = cpuSeconds();
  for (const end = performance.now() + 200; performance.now() < end; );
  expect(cpuSeconds()).toBeGreaterThan(before);
});
