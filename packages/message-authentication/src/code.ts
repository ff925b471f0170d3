import type { Hmac } from './hmac.ts';

/** The message that an authentication code covers. `value` does not include the codes. */
export interface MessageContent {
  readonly topic: string;
  readonly key: string;
  /** Id of the event. */
  readonly id: string;
  readonly type: string;
  readonly value: Uint8Array;
}

/** The services that sign and verify. A code of one direction is not valid in the other. */
export interface Direction {
  readonly sender: string;
  readonly recipient: string;
}

const version = 'pto-message-authentication/1';

/**
 * Returns the code of a message: HMAC-SHA-256 over a JSON array of version, sender, recipient,
 * topic, key, event id and type, a line feed, and the bytes of the value. The JSON text contains no
 * line feed, so two different messages never have the same input.
 * @returns 32 Latin-1 characters, one for each byte.
 */
export const codeOf = (
  hmac: Hmac,
  { sender, recipient }: Direction,
  { topic, key, id, type, value }: MessageContent,
): string =>
  hmac.codeOf(`${JSON.stringify([version, sender, recipient, topic, key, id, type])}\n`, value);
