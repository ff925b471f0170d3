import { expect, test } from '@jest/globals';
import { auditSchedule } from '../../src/auditor/schedule.ts';

const isComplete = false;

/** A schedule with a clock that the test moves. New entries every 10 s, 2,000 entries a second. */
const scheduleAt = () => {
  const clock = { ms: 5000 };
  const schedule = auditSchedule({ pauseMs: 10_000, fullRate: 2000 }, () => clock.ms);
  return { clock, schedule };
};

test('new entries are audited first, then pages until they are due again', () => {
  const { clock, schedule } = scheduleAt();
  expect([schedule.areNewEntriesDue(), schedule.waitMs()]).toEqual([true, 0]);
  schedule.newEntriesAudited();
  expect([schedule.areNewEntriesDue(), schedule.waitMs()]).toEqual([false, 0]);
  schedule.pageAudited(clock.ms, { read: 100_000, isComplete });
  expect(schedule.waitMs()).toBe(10_000);
  clock.ms += 10_000;
  expect([schedule.areNewEntriesDue(), schedule.waitMs()]).toEqual([true, 0]);
});

test('pages keep the rate of the full audit', () => {
  const { clock, schedule } = scheduleAt();
  schedule.newEntriesAudited();
  const begunAt = clock.ms;
  clock.ms += 100;
  schedule.pageAudited(begunAt, { read: 2000, isComplete });
  expect(schedule.waitMs()).toBe(900);
});

test('a page that took longer than its rate allows is followed by a pause as long', () => {
  const { clock, schedule } = scheduleAt();
  schedule.newEntriesAudited();
  const begunAt = clock.ms;
  clock.ms += 300;
  schedule.pageAudited(begunAt, { read: 200, isComplete });
  expect(schedule.waitMs()).toBe(300);
});

test('a completed full audit begins again after the next audit of new entries', () => {
  const { clock, schedule } = scheduleAt();
  schedule.newEntriesAudited();
  schedule.pageAudited(clock.ms, { read: 1, isComplete: true });
  expect(schedule.waitMs()).toBe(10_000);
});
