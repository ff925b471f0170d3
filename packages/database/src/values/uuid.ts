/** The least and the greatest UUID in PostgreSQL's order: bounds before and after every id. */
export const leastUuid = '00000000-0000-0000-0000-000000000000';
export const greatestUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const shape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Whether the text is a UUID of hexadecimal digits in groups of 8-4-4-4-12, in lower or upper case.
 * Other forms that PostgreSQL accepts are not ids of this project.
 */
export const isUuid = (text: string): boolean => shape.test(text);

export const uuidBytes = 16;

/**
 * Writes the 16 bytes of a UUID in the form in which PostgreSQL prints it: hexadecimal digits in
 * groups of 8-4-4-4-12.
 * @returns whether the text has that form; if not, the written bytes are undefined.
 */
export const writeUuid = (id: string, bytes: Uint8Array, offset: number): boolean => {
  if (id.length !== 36) return false;
  let wrong = 0;
  let at = 0;
  for (let n = offset; n < offset + uuidBytes; n++) {
    if (at === 8 || at === 13 || at === 18 || at === 23) {
      if (id.charCodeAt(at) !== hyphen) return false;
      at++;
    }
    const high = digitOf(id.charCodeAt(at));
    const low = digitOf(id.charCodeAt(at + 1));
    wrong |= high | low;
    bytes[n] = (high << 4) | low;
    at += 2;
  }
  return wrong < 16;
};

const hyphen = 0x2d;

/** Value of a hexadecimal digit by character code; 16 for any other character. */
const digits = Uint8Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? 16 : digit;
});

const digitOf = (code: number): number => digits[code] ?? 16;
