import { beforeEach, expect, test } from '@jest/globals';
import { checkpointPause } from '../../src/checkpoints/sequencer.ts';

let time: number;
beforeEach(() => {
  time = 5000;
});
const pauseOf = (intervalMs: number) => checkpointPause(intervalMs, () => time);

test('leaves that came after a checkpoint wait for the rest of the interval', () => {
  const pause = pauseOf(400);
  pause({ leaves: 10, signed: 0 });
  pause({ leaves: 10, signed: 10 });
  time += 150;
  expect(pause({ leaves: 12, signed: 10 })).toBe(250);
  time += 250;
  expect(pause({ leaves: 12, signed: 10 })).toBe(0);
});

test('there is no pause while every leaf is signed, and none before the first checkpoint is seen', () => {
  const pause = pauseOf(400);
  // signed by a process before this one, at an unknown time
  expect(pause({ leaves: 12, signed: 10 })).toBe(0);
  expect(pause({ leaves: 13, signed: 13 })).toBe(0);
});

test('a log with fewer leaves than were signed is looked at at once', () => {
  const pause = pauseOf(400);
  pause({ leaves: 10, signed: 0 });
  pause({ leaves: 10, signed: 10 });
  expect(pause({ leaves: 9, signed: 10 })).toBe(0);
});

test('however long the interval is, the log is compared with the checkpoints each second', () => {
  const pause = pauseOf(3_600_000);
  pause({ leaves: 10, signed: 0 });
  pause({ leaves: 10, signed: 10 });
  expect(pause({ leaves: 11, signed: 10 })).toBe(1000);
});
