import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@pto/errors';

/** Pause before a call that a move has rejected is sent again, in ms. */
const pauseMs = 100;

/**
 * Whether a move has rejected the call, which has changed nothing then. It has called a receiver or a
 * geocoder only if the hold began meanwhile.
 */
export const isHeld = (error: unknown): error is Failure =>
  error instanceof Failure && error.kind === 'ORGANIZATION_HELD';

/**
 * Sends a call again while a move holds the organization, until the target or the source serves it.
 * @param send finds the organization's cell and sends the call there.
 * @param deadline of the call, a time of `performance.now()`.
 * @throws Failure SERVICE_UNAVAILABLE if the organization is held until the deadline (of the last call).
 */
export const repeatWhileHeld = async <Response>(
  deadline: number,
  send: () => Promise<Response>,
): Promise<Response> => {
  for (let wasHeld = false; ; wasHeld = true) {
    try {
      return await send();
    } catch (error) {
      const isLate = wasHeld && error instanceof Failure && error.kind === 'DEADLINE_EXCEEDED';
      if (!isHeld(error) && !isLate) throw error;
      if (isLate || performance.now() + pauseMs >= deadline)
        throw new Failure('SERVICE_UNAVAILABLE', 'A service does not respond. Try again later.', {
          cause: error,
          retryAfterSeconds: 5,
        });
    }
    await sleep(pauseMs);
  }
};
