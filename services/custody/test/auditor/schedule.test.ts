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

/** The wait after a page that began when new entries had just been audited. */
const waitAfterPage = (page: { tookMs: number; read: number; isComplete: boolean }): number => {
  const { clock, schedule } = scheduleAt();
  schedule.newEntriesAudited();
  const begunAt = clock.ms;
  clock.ms += page.tookMs;
  schedule.pageAudited(begunAt, page);
  return schedule.waitMs();
};

test('pages keep the rate of the full audit', () => {
  expect(waitAfterPage({ tookMs: 100, read: 2000, isComplete })).toBe(900);
});

test('a page that took longer than its rate allows is followed by a pause as long', () => {
  expect(waitAfterPage({ tookMs: 300, read: 200, isComplete })).toBe(300);
});

test('a completed full audit begins again after the next audit of new entries', () => {
  expect(waitAfterPage({ tookMs: 0, read: 1, isComplete: true })).toBe(10_000);
});
