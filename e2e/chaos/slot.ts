/** One order of the run while the run goes on. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Invocation, Outcome } from './history.ts';
import type { SlotSeen } from './observation.ts';
import type { Action } from './order-model.ts';

export interface Slot extends SlotSeen {
  readonly draft: boolean;
  readonly items: number;
  readonly ids: string[];
  readonly responses: string[];
  readonly history: Invocation[];
  /** The status that the last response showed. */
  status: string;
}

/** A word of the report: what became of an operation. */
export type Word = 'accepted' | 'rejected' | 'unknown' | 'skipped';

let invocations = 0;

/**
 * Sends one action and records it with the times of both ends. An error is an unknown outcome.
 * @param send returns null where the response says that nothing was tried, such as a 429.
 */
export const record = async (
  slot: Slot,
  action: Action,
  send: (mark: string) => Promise<Outcome | null>,
): Promise<Word> => {
  const mark = `${slot.name} ${action} ${++invocations}`;
  const invokedAt = performance.now();
  const outcome = await send(mark).catch((): Outcome => ({ kind: 'unknown' }));
  if (outcome === null) return 'skipped';
  const returnedAt = outcome.kind === 'unknown' ? Number.POSITIVE_INFINITY : performance.now();
  // a read of unknown outcome says nothing and changes nothing
  if (!(action === 'read' && outcome.kind === 'unknown'))
    slot.history.push({ action, mark, invokedAt, returnedAt, outcome });
  if ('status' in outcome && outcome.status !== undefined) slot.status = outcome.status;
  return outcome.kind;
};

/** Repeats an attempt until it gives something, at most `tries` times. */
export const persist = async <T>(
  tries: number,
  attempt: () => Promise<T | undefined>,
): Promise<T | undefined> => {
  for (let n = 0; n < tries; n++) {
    const result = await attempt().catch(() => undefined);
    if (result !== undefined) return result;
    await sleep(200); // the pace of a patient client
  }
  return undefined;
};
