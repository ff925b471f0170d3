import { expect, test } from '@jest/globals';
import {
  checkpointLines,
  checkpointText,
  parseCheckpoint,
  Rejection,
  readCheckpointLines,
} from '../../src/index.ts';

const first = checkpointText({ origin: 'log.example', size: 3, root: new Uint8Array(32) });
const indexRoot = new Uint8Array(32).fill(7);
const time = '2026-11-22T09:33:43.123Z';

test('a checkpoint with an index root and a time is read back', () => {
  const text = first + checkpointLines({ indexRoot, time });
  expect(text.split('\n').slice(3)).toEqual([
    `order-index/1 ${Buffer.from(indexRoot).toString('base64')}`,
    `time ${time}`,
    '',
  ]);
  expect(readCheckpointLines(text)).toEqual({ indexRoot, time });
  expect(parseCheckpoint(text)).toMatchObject({ size: 3 });
});

test('a checkpoint of before the index has neither, and unknown lines are passed over', () => {
  expect(checkpointLines({ indexRoot: null, time: null })).toBe('');
  expect(readCheckpointLines(first)).toEqual({ indexRoot: null, time: null });
  expect(readCheckpointLines(`${first}order-index/2 x\ntimes 1\n`)).toEqual({
    indexRoot: null,
    time: null,
  });
});

const root = Buffer.from(indexRoot).toString('base64');
test.each([
  ['two index roots', `order-index/1 ${root}\norder-index/1 ${root}\n`],
  ['an index root of 31 bytes', `order-index/1 ${Buffer.alloc(31).toString('base64')}\n`],
  ['an index root without padding', `order-index/1 ${root.slice(0, -1)}\n`],
  ['two times', `time ${time}\ntime ${time}\n`],
  ['a time without milliseconds', 'time 2026-11-22T09:33:43Z\n'],
  ['a time that does not exist', 'time 2026-02-30T09:33:43.000Z\n'],
])('%s are refused', (_, lines) => {
  expect(() => readCheckpointLines(first + lines)).toThrow(Rejection);
});
