import { type Attempt, Seen } from './check.ts';
import { attemptText, deliver } from './deliver.ts';
import type { Trial } from './trial.ts';

const sent = new WeakMap<Trial, Promise<Attempt>>();

/** Sends a genuine event, once in a run. @throws the reason of the signal. */
export const genuineAttempt = (trial: Trial): Promise<Attempt> => {
  const attempt = sent.get(trial) ?? send(trial);
  sent.set(trial, attempt);
  return attempt;
};

const send = async (trial: Trial): Promise<Attempt> => {
  const seen = new Seen('genuine');
  await deliver(trial, seen, { what: 'an event', delivery: trial.sample(), expected: '2xx' });
  return seen.attempts[0]!;
};

/**
 * Returns why a forgery shows nothing, null if it does: a receiver that refuses everything refuses
 * forgeries, too.
 */
export const refusesGenuine = async (trial: Trial): Promise<string | null> => {
  const attempt = await genuineAttempt(trial);
  return attempt.ok ? null : `the receiver refuses a genuine event; ${attemptText(attempt)}`;
};
