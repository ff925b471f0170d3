/** The part of ASN.1 DER (X.690) that a certificate needs. */
export const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts);
export const set = (...parts: readonly Buffer[]): Buffer => tagged(0x31, ...parts);
export const octetString = (content: Buffer): Buffer => tagged(0x04, content);
export const utf8String = (text: string): Buffer => tagged(0x0c, Buffer.from(text));
export const boolean = (value: boolean): Buffer => tagged(0x01, Buffer.from([value ? 0xff : 0]));

/** Wraps the parts in an explicit context tag `[number]`. */
export const explicit = (number: number, ...parts: readonly Buffer[]): Buffer =>
  tagged(0xa0 + number, ...parts);

/** Encodes a primitive value with an implicit context tag `[number]` in place of its own tag. */
export const implicit = (number: number, content: Buffer): Buffer => tagged(0x80 + number, content);

/** Encodes a non-negative integer, big-endian, without superfluous leading zeros. */
export const integer = (bytes: Buffer): Buffer => {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Buffer.from([0]) : bytes.subarray(first);
  return tagged(0x02, digits[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits);
};

/** Encodes a bit string. @param unusedBits number of unused bits in the last byte. */
export const bitString = (content: Buffer, unusedBits = 0): Buffer =>
  tagged(0x03, Buffer.from([unusedBits]), content);

/** Encodes an object identifier in dotted form, such as `2.5.29.17`. */
export const objectIdentifier = (dotted: string): Buffer => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
};

/** Encodes a UTCTime, to the second, for the years 1950 to 2049. */
export const utcTime = (time: Date): Buffer =>
  tagged(
    0x17,
    Buffer.from(
      `${time
        .toISOString()
        .replace(/[-:T]|\.\d+/g, '')
        .slice(2)}`,
    ),
  );

const base128 = (value: number): number[] => {
  const groups = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
  return groups;
};

const tagged = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), length(content.length), content]);
};

const length = (bytes: number): Buffer => {
  if (bytes < 0x80) return Buffer.from([bytes]);
  const digits = Buffer.from(bytes.toString(16).padStart(8, '0'), 'hex');
  const from = digits.findIndex((byte) => byte !== 0);
  return Buffer.concat([Buffer.from([0x80 | (4 - from)]), digits.subarray(from)]);
};
