import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

const index = new URL('../src/index.ts', import.meta.url).href;

/** What a process writes that logs 2,000 lines in one turn of the event loop and then does `end`. */
const linesOf = (end: string): unknown[] => {
  const program = `import { createTelemetry } from ${JSON.stringify(index)};
    const { log } = createTelemetry({ service: 'test' });
    for (let n = 0; n < 2000; n++) log.info({ n }, 'x'.repeat(n % 300));
    ${end}`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    timeout: 30_000,
    maxBuffer: 16 * 1024 * 1024,
  });
  const lines = stdout.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line).n);
};

test.each([
  ['goes on until nothing is left', ''],
  ['exits', 'process.exit(1);'],
  ['fails', "throw new Error('on purpose');"],
  ['exits in a later turn', 'setTimeout(() => process.exit(), 20);'],
])('every line is written, in order, by a process that %s', (_, end) => {
  expect(linesOf(end)).toEqual(Array.from({ length: 2000 }, (_, n) => n));
});
