import { create, toBinary } from '@bufbuild/protobuf';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import {
  type MessageAuthenticationCode,
  MessageAuthenticationSchema,
} from '@pto/proto/bus/v1/message_authentication';

/** The field of every event that carries the codes, always the last one. */
const fieldNumber = 15;
/** Length of an HMAC-SHA-256 in bytes. */
const codeBytes = 32;

/** Whose code it is, and by which key. */
export type CodeLabel = Pick<MessageAuthenticationCode, 'recipient' | 'keyId'>;
export type Code = Pick<MessageAuthenticationCode, 'recipient' | 'keyId' | 'code'>;

/**
 * Appends codes to values. The field is encoded once for the labels, and each message's codes are
 * copied into it: encoding it each time takes as long as a code.
 * @returns a function of the value and one code for each label, in their order, each as 32 Latin-1
 *   characters.
 */
export const trailerOf = (
  labels: readonly CodeLabel[],
): ((value: Uint8Array, codes: readonly string[]) => Uint8Array) => {
  // no label holds these bytes, so each code's place is found by them
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
 * The value without its codes, and the codes; undefined where the last field does not carry codes,
 * or the bytes are no protobuf message. Only the fields' frames are read, not their content, and the
 * codes in the one spelling of `trailerOf`: protobuf's decoder would take others, too.
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
    // the bytes are no protobuf message, or their last field is not ours
  }
  return undefined;
};

/** The value without its codes; undefined where `splitCodes` finds none. */
export const contentOf = (value: Uint8Array): Uint8Array | undefined => splitCodes(value)?.value;

/** The tag of a length-delimited field, as one byte. */
const tagOf = (number: number): number => (number << 3) | WireType.LengthDelimited;

/** To the end of the reader. @throws Error for anything but codes. */
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

/** Of the field as `trailerOf` encodes it: a longer number of the same value shows in it. */
const fieldLength = (codes: readonly Code[]): number => {
  const framed = (length: number) => 1 + varintLength(length) + length;
  const content = codes.reduce((sum, { recipient, keyId, code }) => {
    const texts = framed(Buffer.byteLength(recipient)) + framed(Buffer.byteLength(keyId));
    return sum + framed(texts + framed(code.length));
  }, 0);
  return framed(content);
};

const varintLength = (value: number): number => (value < 0x80 ? 1 : value < 0x4000 ? 2 : 3);
