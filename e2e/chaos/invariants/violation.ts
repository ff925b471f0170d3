import type { Observation } from '../observation.ts';

/** A promise of the system that the observation contradicts. */
export interface Violation {
  readonly invariant: string;
  readonly detail: string;
}

/** @returns one line per contradiction. */
export type Invariant = (seen: Observation) => readonly string[];
