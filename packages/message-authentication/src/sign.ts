import { codeOf, type MessageContent } from './code.ts';
import type { MessageKeys } from './message-keys.ts';
import { trailerOf } from './trailer.ts';

/** Adds proof of origin to a message; everything but `value` stays as it is. */
export type Sign = <M extends MessageContent>(message: M) => M;

/**
 * Signs as `sender` with the first key of each recipient's ring.
 * @param recipients the ring shared with each service that reads the topic, by the service's name.
 */
export const messageSigner = (
  sender: string,
  recipients: Readonly<Record<string, MessageKeys>>,
): Sign => {
  const keys = Object.entries(recipients).map(([recipient, { first }]) => ({
    recipient,
    keyId: first.id,
    hmac: first.hmac,
    direction: { sender, recipient },
  }));
  const append = trailerOf(keys);
  return (message) => {
    const codes = keys.map(({ hmac, direction }) => codeOf(hmac, direction, message));
    return { ...message, value: append(message.value, codes) };
  };
};
