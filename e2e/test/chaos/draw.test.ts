import { expect, test } from '@jest/globals';
import { drawPlan } from '../../chaos/plan/draw.ts';

const options = { minutes: 5, operationsPerSecond: 8, faultPauseMs: 4000 };

test('the same seed draws the same plan, and another seed another plan', () => {
  expect(drawPlan(7, options)).toEqual(drawPlan(7, options));
  expect(drawPlan(7, options)).not.toEqual(drawPlan(8, options));
});

test('a plan has every kind of operation and fault', () => {
  const { operations, faults } = drawPlan(1, { ...options, minutes: 30 });
  const kinds = (steps: readonly { step: { kind: string } }[]) =>
    [...new Set(steps.map(({ step }) => step.kind))].sort().join(' ');
  expect(kinds(operations)).toBe(
    'advance audit cancel command create duplicate events intrude list move pause poll proof race read recover repeat replay reuse rotate test twins',
  );
  expect(kinds(faults)).toBe(
    'clock cut duplicate failingReceiver failingStatements forge freeze freezeStore kill killAll lose poison refuse restartStore slow',
  );
});

test('a plan names only orders that it has created before', () => {
  const { operations } = drawPlan(3, options);
  let created = 0;
  for (const { step } of operations) {
    const { slot } = step.drawn as { slot?: number };
    if (slot === undefined) continue;
    if (step.kind === 'create' || step.kind === 'twins') expect(slot).toBe(created++);
    else expect(slot).toBeLessThan(created);
  }
  expect(created).toBeGreaterThan(100);
});

test('a plan has moments at which a dozen operations begin', () => {
  const { operations } = drawPlan(3, options);
  const atOnce = Object.values(Object.groupBy(operations, ({ atMs }) => atMs));
  expect(Math.max(...atOnce.map((steps) => steps!.length))).toBe(12);
});

test('the steps of a plan come in the order of their times, within the run', () => {
  const { operations, faults } = drawPlan(3, options);
  for (const steps of [operations, faults]) {
    const times = steps.map(({ atMs }) => atMs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBeLessThan(5 * 60_000);
  }
});
