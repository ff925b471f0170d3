import { Failure } from '@pto/errors';
import type { IncomingMessage } from '../bus.ts';

/**
 * Returns why a message is not authentic, as text for operators; undefined for an authentic message
 * (decision 55).
 */
export type Rejection = (message: IncomingMessage) => string | undefined;

export interface RejectedMessage {
  readonly message: IncomingMessage;
  /** Why the message is not authentic, as text for operators. */
  readonly reason: string;
}

/**
 * Separates authentic messages from messages that are not. Each list is in the order of arrival.
 */
export const separate = (
  messages: readonly IncomingMessage[],
  rejection: Rejection | undefined,
): { authentic: readonly IncomingMessage[]; rejected: readonly RejectedMessage[] } => {
  if (!rejection) return { authentic: messages, rejected: [] };
  const authentic: IncomingMessage[] = [];
  const rejected: RejectedMessage[] = [];
  for (const message of messages) {
    const reason = rejection(message);
    if (reason === undefined) authentic.push(message);
    else rejected.push({ message, reason: rejectedReason(reason) });
  }
  return { authentic, rejected };
};

/** Requires an authentic message. @throws Failure VALIDATION for any other message. */
export const requireAuthentic = (
  message: IncomingMessage,
  rejection: Rejection | undefined,
): void => {
  const reason = rejection?.(message);
  if (reason !== undefined) throw new Failure('VALIDATION', rejectedReason(reason));
};

const rejectedReason = (reason: string): string => `The message is not authentic: ${reason}.`;
