import type { Hmac } from './hmac.ts';

/** What a code covers. `value` is without the codes. */
export interface MessageContent {
  readonly topic: string;
  readonly key: string;
  /** The event's id. */
  readonly id: string;
  readonly type: string;
  readonly value: Uint8Array;
}

/** Who signs for whom. A code of one direction is none of the other. */
export interface Direction {
  readonly sender: string;
  readonly recipient: string;
}

const version = 'pto-message-authentication/1';

/**
 * The 32 bytes of HMAC-SHA-256 over the JSON array of version, sender, recipient, topic, key, event
 * id and type, a line feed, and the value's bytes. JSON text holds no line feed, so that no two
 * messages have the same input.
 * @returns one Latin-1 character for each byte.
 */
export const codeOf = (
  hmac: Hmac,
  { sender, recipient }: Direction,
  { topic, key, id, type, value }: MessageContent,
): string =>
  hmac.codeOf(`${JSON.stringify([version, sender, recipient, topic, key, id, type])}\n`, value);
