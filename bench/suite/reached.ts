import type { Result } from '../measuring/result.ts';
import type { Goal } from './benches.ts';

/** Whether a result reaches its goal; null if the run is void or no goal applies. */
export const isReached = (result: Result, goal: Goal | undefined): boolean | null => {
  if (!goal || result.void !== null) return null;
  const { ratio, ours } = result;
  const verdicts = [
    atLeast(ratio?.median, goal.ratio),
    atMost(ratio?.median, goal.atMost),
    atMost(ours?.p50Ms, goal.p50Ms),
    atMost(ours?.p95Ms, goal.p95Ms),
  ].filter((verdict) => verdict !== null);
  return verdicts.length === 0 ? null : verdicts.every((verdict) => verdict);
};

type Figure = number | null | undefined;

/** Null without a goal; a figure that is missing does not reach one. */
const atLeast = (figure: Figure, goal: number | undefined): boolean | null =>
  goal === undefined ? null : (figure ?? Number.NaN) >= goal;

const atMost = (figure: Figure, goal: number | undefined): boolean | null =>
  goal === undefined ? null : (figure ?? Number.NaN) <= goal;
