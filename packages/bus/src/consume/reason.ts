import { sqlState } from '@pto/database';
import { Failure, privateCause } from '@pto/errors';
import { scrub } from '@pto/telemetry';

const reasonMax = 500;

/**
 * Returns why a message was parked, for operators: scrubbed, at most 500 characters. The text has
 * the kind and message of a Failure, the code and constraint of a database error, or the message of
 * any other error. For an INTERNAL Failure it describes the private cause.
 */
export const publicReason = (error: unknown): string => {
  const isInternal = error instanceof Failure && error.kind === 'INTERNAL';
  return scrub(inWords((isInternal && privateCause(error)) || error)).slice(0, reasonMax);
};

const inWords = (error: unknown): string => {
  if (error instanceof Failure) return `${error.kind}: ${error.message}`;
  const state = sqlState(error);
  if (state === undefined)
    return `The handler failed: ${error instanceof Error ? error.message : String(error)}`;
  const { constraint } = error as { constraint?: string };
  const rule = constraint === undefined ? '' : `, constraint ${constraint}`;
  return `The database rejected the effect: SQLSTATE ${state}${rule}`;
};

/** Whether the same message can succeed later. A lock conflict is a retryable Failure, too. */
export const passes = (error: unknown): boolean => error instanceof Failure && error.retryable;
