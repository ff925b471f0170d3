import { createHmac, timingSafeEqual } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import {
  type MessageAuthenticationCode,
  MessageAuthenticationSchema,
} from '@pto/proto/bus/v1/message_authentication';
import type { MessageKey, MessageKeys } from './message-keys.ts';

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
interface Direction {
  readonly sender: string;
  readonly recipient: string;
}

type Code = Pick<MessageAuthenticationCode, 'recipient' | 'keyId' | 'code'>;

const version = 'pto-message-authentication/1';
/** Number of the protobuf field with the codes, in every event; it is the last field. */
const fieldNumber = 15;

/**
 * Returns the code of a message: HMAC-SHA-256 over a JSON array of version, sender, recipient,
 * topic, key, event id and type, a line feed, and the bytes of the value. The JSON text contains no
 * line feed, so two different messages never have the same input.
 */
const codeOf = (
  { key: secret }: MessageKey,
  { sender, recipient }: Direction,
  { topic, key, id, type, value }: MessageContent,
): Buffer =>
  createHmac('sha256', secret)
    .update(`${JSON.stringify([version, sender, recipient, topic, key, id, type])}\n`)
    .update(value)
    .digest() as Buffer;

/**
 * Returns a function that appends the proof of origin to a message's `value`: the protobuf field
 * with one code for each recipient, by the first key of the recipient's ring.
 * @param recipients maps each service that reads the topic to the key ring shared with that service.
 */
export const messageSigner =
  (sender: string, recipients: Readonly<Record<string, MessageKeys>>) =>
  <M extends MessageContent>(message: M): M => {
    const codes = Object.entries(recipients).map(([recipient, { first }]) => ({
      recipient,
      keyId: first.id,
      code: codeOf(first, { sender, recipient }, message),
    }));
    return { ...message, value: Buffer.concat([message.value, encode(codes)]) };
  };

export type Sign = ReturnType<typeof messageSigner>;

/**
 * Returns a function that verifies messages from `sender` as `recipient`, with any key of the ring.
 * The function returns why a message is not authentic, in words, or undefined if it is authentic.
 */
export const messageVerifier = (
  direction: Direction & { readonly keys: MessageKeys },
): ((message: MessageContent) => string | undefined) => {
  const { sender, recipient, keys } = direction;
  return (message) => {
    const split = splitCodes(message.value);
    const found = split?.codes.find((code) => code.recipient === recipient);
    if (!split || !found) return `it carries no proof of origin for ${recipient}`;
    const key = keys.byId.get(found.keyId);
    if (!key) return `its proof names ${named(found.keyId)}, which ${keys.setting} does not hold`;
    const expected = codeOf(key, direction, { ...message, value: split.value });
    if (found.code.length === expected.length && timingSafeEqual(found.code, expected))
      return undefined;
    return (
      `its proof does not match: topic, key, id, type or content are not what ${sender} signed, ` +
      `or ${named(key.id)} of ${keys.setting} is another one at ${sender}`
    );
  };
};

/** Returns the value without its codes; undefined if `splitCodes` finds no codes. */
export const contentOf = (value: Uint8Array): Uint8Array | undefined => splitCodes(value)?.value;

/**
 * Splits a value into the value without its codes, and the codes. Returns undefined if the value
 * does not end with the field of the codes, or is no protobuf message. Other fields are skipped,
 * not decoded. The codes must be encoded exactly as by `encode`; a protobuf decoder would accept
 * other encodings as well.
 */
const splitCodes = (
  value: Uint8Array,
): { readonly value: Uint8Array; readonly codes: readonly Code[] } | undefined => {
  try {
    const reader = new BinaryReader(value);
    while (reader.pos < reader.len) {
      const start = reader.pos;
      const [number, wireType] = reader.tag();
      if (number === fieldNumber) {
        const { codes } = fromBinary(MessageAuthenticationSchema, reader.bytes());
        const isExact = encode(codes).equals(value.subarray(start));
        return isExact ? { value: value.subarray(0, start), codes } : undefined;
      }
      reader.skip(wireType, number);
    }
  } catch {
    // the bytes are no protobuf message, or their last field does not contain codes
  }
  return undefined;
};

/** Returns the field with the codes, tag included. */
const encode = (codes: readonly Code[]): Buffer => {
  const writer = new BinaryWriter().tag(fieldNumber, WireType.LengthDelimited).fork();
  for (const { recipient, keyId, code } of codes) {
    writer.tag(1, WireType.LengthDelimited).fork();
    writer.tag(1, WireType.LengthDelimited).string(recipient);
    writer.tag(2, WireType.LengthDelimited).string(keyId);
    writer.tag(3, WireType.LengthDelimited).bytes(code).join();
  }
  return Buffer.from(writer.join().finish());
};

/**
 * Returns words for a key. A forger can choose the id, so an id that is not 1 to 32 word characters
 * or hyphens is left out.
 */
const named = (id: string): string => (/^[\w-]{1,32}$/.test(id) ? `the key ${id}` : 'a key');
