import { create, toBinary } from '@bufbuild/protobuf';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import {
  type MessageAuthenticationCode,
  MessageAuthenticationSchema,
} from '@pto/proto/bus/v1/message_authentication';

/** Number of the protobuf field with the codes, in every event; it is the last field. */
const fieldNumber = 15;
/** Length of an HMAC-SHA-256 in bytes. */
const codeBytes = 32;

/** The recipient and the key of a code. */
export type CodeLabel = Pick<MessageAuthenticationCode, 'recipient' | 'keyId'>;
export type Code = Pick<MessageAuthenticationCode, 'recipient' | 'keyId' | 'code'>;

/**
 * Returns a function that appends codes to a value, as a protobuf field. Encodes the labels one
 * time, in this call; the returned function copies each message's codes into that encoding.
 * Encoding the field for each message would take as long as computing a code.
 * @returns a function of the value and the codes: one code for each label in their order, each as
 *   32 Latin-1 characters.
 */
export const trailerOf = (
  labels: readonly CodeLabel[],
): ((value: Uint8Array, codes: readonly string[]) => Uint8Array) => {
  // Placeholders for the codes, of bytes that no label contains: they show at which offsets the
  // codes are written.
  const marks = labels.map((_, n) => Buffer.alloc(codeBytes, 0x80 + n));
  const codes = labels.map((label, n) => ({ ...label, code: Uint8Array.from(marks[n]!) }));
  const form = Buffer.from(
    new BinaryWriter()
      .tag(fieldNumber, WireType.LengthDelimited)
      .bytes(toBinary(MessageAuthenticationSchema, create(MessageAuthenticationSchema, { codes })))
      .finish(),
  );
  const places = marks.map((mark) => form.indexOf(mark));
  return (value, given) => {
    const whole = Buffer.allocUnsafe(value.length + form.length);
    whole.set(value);
    whole.set(form, value.length);
    for (let n = 0; n < places.length; n++)
      whole.write(given[n]!, value.length + places[n]!, 'latin1');
    return whole;
  };
};

/**
 * Splits a value into the value without its codes, and the codes. Returns undefined if the value
 * does not end with the field of the codes, or is no protobuf message. Other fields are skipped,
 * not decoded. The codes must be encoded exactly as by `trailerOf`; a protobuf decoder would accept
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
        if (wireType !== WireType.LengthDelimited) return undefined;
        const codes = readCodes(reader);
        const canonical = fieldLength(codes) === reader.len - start;
        return canonical ? { value: value.subarray(0, start), codes } : undefined;
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

/** Returns the tag of a length-delimited field, which is one byte for the numbers 1 to 15. */
const tagOf = (number: number): number => (number << 3) | WireType.LengthDelimited;

/** Reads codes to the end of the reader. @throws Error if there is anything else. */
const readCodes = (reader: BinaryReader): Code[] => {
  const codes: Code[] = [];
  expectEnd(reader, reader.uint32(), reader.len);
  while (reader.pos < reader.len) {
    expectTag(reader, 1);
    const length = reader.uint32();
    const end = reader.pos + length;
    expectTag(reader, 1);
    const recipient = reader.string();
    expectTag(reader, 2);
    const keyId = reader.string();
    expectTag(reader, 3);
    codes.push({ recipient, keyId, code: reader.bytes() as Code['code'] });
    expectEnd(reader, end - reader.pos, reader.pos);
  }
  return codes;
};

const expectTag = (reader: BinaryReader, number: number): void => {
  if (reader.uint32() !== tagOf(number)) throw new Error(`expected field ${number}`);
};

const expectEnd = (reader: BinaryReader, left: number, end: number): void => {
  if (reader.pos + left !== end) throw new Error('expected the end of the field');
};

/**
 * Returns the length of the field as `trailerOf` encodes it, in bytes. A field with a varint that
 * is longer than necessary has another length.
 */
const fieldLength = (codes: readonly Code[]): number => {
  const framed = (length: number) => 1 + varintLength(length) + length;
  const content = codes.reduce((sum, { recipient, keyId, code }) => {
    const texts = framed(Buffer.byteLength(recipient)) + framed(Buffer.byteLength(keyId));
    return sum + framed(texts + framed(code.length));
  }, 0);
  return framed(content);
};

const varintLength = (value: number): number => (value < 0x80 ? 1 : value < 0x4000 ? 2 : 3);
