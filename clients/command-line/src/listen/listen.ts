import { note, writeLines } from '@pto/terminal';
import type { Client, FeedEvent } from '../../../typescript/src/index.ts';
import { Failed } from '../failure.ts';
import { deliveryOf } from './delivery.ts';
import { type Forwarded, forward, type Receiver } from './forward.ts';
import { type Goal, missingText, reached } from './goal.ts';
import type { Position } from './position.ts';
import { answerText, eventLine } from './shown.ts';

/** Limits of a request for events: an outage of some ten minutes does not end the command. */
const patience = { attemptsMax: 60, totalTimeoutMs: 900_000 };

export interface Listening {
  readonly client: Client;
  readonly position: Position;
  /** Number of the last event that was forwarded. */
  readonly after: number;
  readonly receiver: Receiver;
  readonly goal: Goal;
  readonly keepGoing: boolean;
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
  const { client, after, signal, goal } = listening;
  let rejected = 0;
  for await (const event of client.followEvents({ after, signal, ...patience })) {
    signal.throwIfAborted();
    if (!(await forwardOne(listening, event))) rejected++;
    if (reached(goal, event.event)) break;
  }
  const missing = missingText(goal);
  if (missing !== null) throw new Failed(`${goal.until} came without ${missing}.`);
  if (rejected > 0) throw new Failed(`The receiver did not accept ${rejected} events.`);
};

/** Forwards an event and shows it. @returns whether the receiver has accepted it */
const forwardOne = async (
  { position, receiver, keepGoing, json, signal }: Listening,
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
      `The receiver did not accept event ${number}. Correct it and execute the same command: it continues with this event. --keep-going skips such events.`,
    );
  return forwarded.ok;
};
