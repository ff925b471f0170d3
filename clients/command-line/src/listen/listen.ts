import { note, writeLines } from '@pto/terminal';
import type { Client, FeedEvent } from '../../../typescript/src/index.ts';
import { Failed } from '../failure.ts';
import { deliveryOf } from './delivery.ts';
import { follow, sleepWatch } from './follow.ts';
import { type Forwarded, forward, type Receiver } from './forward.ts';
import { type Goal, isOf, missingText, reached } from './goal.ts';
import type { Position } from './position.ts';
import { answerText, eventLine } from './shown.ts';

/** Where the events go. */
export interface Target {
  readonly position: Position;
  readonly receiver: Receiver;
  /** Whether the secret was made for this run. */
  readonly isNewSecret: boolean;
  readonly keepGoing: boolean;
}

export interface Listening {
  readonly client: Client;
  /** Null prints the events alone. */
  readonly target: Target | null;
  /** Number of the last event that was forwarded. */
  readonly after: number;
  readonly goal: Goal;
  readonly json: boolean;
  /** Ends the command after the running forward. */
  readonly signal: AbortSignal;
}

/**
 * Forwards each event of the feed, in order, and stores its number after the receiver has accepted
 * it. A process that is killed in between forwards that event again: at least once.
 * @returns when the goal is reached.
 * @throws Failed if the receiver does not accept an event; the reason of the signal.
 */
export const listen = async (listening: Listening): Promise<void> => {
  const { client, target, after, signal, goal } = listening;
  let rejected = 0;
  const watch = sleepWatch();
  try {
    for await (const event of follow(client, after, signal, watch)) {
      signal.throwIfAborted();
      if (target === null) await print(listening, event);
      else if (!(await forwardOne(listening, target, event))) rejected++;
      if (reached(goal, event)) break;
    }
  } finally {
    watch.stop();
  }
  const missing = missingText(goal);
  if (missing !== null) throw new Failed(`${goal.until} came without ${missing}.`);
  if (rejected > 0) throw new Failed(`The receiver did not accept ${rejected} events.`);
};

const print = async ({ goal, json }: Listening, event: FeedEvent): Promise<void> => {
  if (isOf(goal.order, event)) await writeLines('stdout', [eventLine(event, null, json)]);
};

/** Forwards an event and shows it. @returns whether the receiver has accepted it */
const forwardOne = async (
  { json, signal }: Listening,
  { position, receiver, keepGoing, isNewSecret }: Target,
  event: FeedEvent,
): Promise<boolean> => {
  const { number } = event;
  position.write({ after: number - 1, forwarding: number });
  const failed = (forwarded: Forwarded) =>
    note(`event ${number}: ${answerText(forwarded)}; it is sent again`);
  const forwarded = await forward(receiver, deliveryOf(event), { signal, failed });
  const isDone = forwarded.ok || keepGoing;
  if (isDone) position.write({ after: number, forwarding: null });
  await writeLines('stdout', [eventLine(event, forwarded, json)]);
  if (!isDone)
    throw new Failed(
      `The receiver did not accept event ${number}. ${isNewSecret ? setSecret : correct}: it continues with this event. --keep-going skips such events.`,
    );
  return forwarded.ok;
};

const correct = 'Correct it and execute the same command';
/** The next run makes another secret: a receiver with the one of this run would reject that. */
const setSecret =
  'Set PTO_WEBHOOK_SECRET to one secret for pto and for the receiver, such as whsec_ and 16 characters that you invent, then execute the same command';
