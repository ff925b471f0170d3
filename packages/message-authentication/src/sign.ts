import { codeOf, type MessageContent } from './code.ts';
import type { MessageKeys } from './message-keys.ts';
import { trailerOf } from './trailer.ts';

/**
 * Returns the message with the proof of origin appended to `value`; other members stay the same.
 */
export type Sign = <M extends MessageContent>(message: M) => M;

/**
 * Returns a function that signs a message for each recipient. It uses the first key of the
 * recipient's ring.
 * @param recipients maps each service that reads the topic to the key ring shared with that service.
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
