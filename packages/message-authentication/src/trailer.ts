import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import {
  type MessageAuthenticationCode,
  MessageAuthenticationSchema,
} from '@pto/proto/bus/v1/message_authentication';

/** Number of the protobuf field with the codes, in every event; it is the last field. */
const fieldNumber = 15;

export type Code = Pick<MessageAuthenticationCode, 'recipient' | 'keyId' | 'code'>;

/** Returns the protobuf field of the codes. */
const fieldOf = (codes: readonly Code[]): Uint8Array => {
  const message = create(MessageAuthenticationSchema, { codes: [...codes] });
  return new BinaryWriter()
    .tag(fieldNumber, WireType.LengthDelimited)
    .bytes(toBinary(MessageAuthenticationSchema, message))
    .finish();
};

/** Returns the value with the field of the codes behind it. */
export const withCodes = (value: Uint8Array, codes: readonly Code[]): Uint8Array =>
  Buffer.concat([value, fieldOf(codes)]);

/**
 * Splits a value into the value without its codes, and the codes. Returns undefined if the value
 * does not end with the field of the codes, or is no protobuf message. Other fields are skipped,
 * not decoded. The codes must be encoded exactly as by `withCodes`; a protobuf decoder would accept
 * other encodings as well.
 */
export const splitCodes = (
  value: Uint8Array,
): { readonly value: Uint8Array; readonly codes: readonly Code[] } | undefined => {
  try {
    const reader = new BinaryReader(value);
    while (reader.pos < reader.len) {
      const start = reader.pos;
      const [number, wireType] = reader.tag();
      if (number === fieldNumber) {
        const { codes } = fromBinary(MessageAuthenticationSchema, reader.bytes());
        const isCanonical = Buffer.from(fieldOf(codes)).equals(value.subarray(start));
        return isCanonical ? { value: value.subarray(0, start), codes } : undefined;
      }
      reader.skip(wireType, number);
    }
  } catch {
    // the bytes are no protobuf message, or their last field does not contain codes
  }
  return undefined;
};

/** Returns the value without its codes; undefined if `splitCodes` finds no codes. */
export const contentOf = (value: Uint8Array): Uint8Array | undefined => splitCodes(value)?.value;
