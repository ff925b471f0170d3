/** Reads JSON only if all readers understand it in the same way. */
import { Rejection } from './rejection.ts';

/**
 * Parses a JSON text.
 * @throws Rejection for a text that is not JSON, or that readers can understand differently: a
 *   duplicate member name in an object, a number that loses digits as a double, -0, a lone
 *   surrogate, more than 40 levels of nesting.
 */
export const readJson = (text: string): unknown => {
  const value = parsed(text);
  const fault = jsonFault(value, depthMax);
  if (fault) throw new Rejection(fault);
  if (membersWritten(text) !== membersOf(value))
    throw new Rejection('a member name stands twice in one object');
  return value;
};

const depthMax = 40;
/**
 * Maximum length of a number in characters. JavaScript writes every double with far fewer
 * characters, and comparing digits takes quadratic time.
 */
const numeralMax = 400;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Rejection('not JSON: damaged, cut off or empty');
  }
};

const membersOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const held = Object.values(value);
  return held.reduce((sum, one) => sum + membersOf(one), Array.isArray(value) ? 0 : held.length);
};

/**
 * Returns the number of colons outside of strings in a valid JSON text, which is the number of its
 * object members.
 * @throws Rejection for a number that is too long or loses digits as a double.
 */
const membersWritten = (text: string): number => {
  let members = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === '"') at = stringEnd(text, at);
    else if (character === ':') members++;
    else if (character === '-' || (character >= '0' && character <= '9')) {
      const [written] = numeralAt(text, at);
      if (written.length > numeralMax)
        throw new Rejection(`a number has more than ${numeralMax} characters`);
      if (!isKept(written)) throw new Rejection(`the number ${written} loses digits`);
      at += written.length - 1;
    }
  }
  return members;
};

/** Returns the position of the quote that ends the string. */
const stringEnd = (text: string, start: number): number => {
  let at = start + 1;
  for (; text[at] !== '"'; at++) if (text[at] === '\\') at++;
  return at;
};

/** Returns the number that begins at a position: sign, whole part, fraction and exponent. */
const numeralAt = (text: string, at: number): RegExpExecArray => {
  numeral.lastIndex = at;
  return numeral.exec(text)!;
};

const numeral = /(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?/y;

/** Whether a number has the same value after it was read as a double and written by JavaScript. */
const isKept = (written: string): boolean => {
  const read = String(Number(written));
  return read === written || decimal(read) === decimal(written);
};

/**
 * Returns digits and exponent of a decimal number as a text that is the same for every form of the
 * number.
 */
const decimal = (text: string): string => {
  const [, sign, whole, fraction = '', exponent = 0] = numeralAt(text, 0);
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const power = Number(exponent) - fraction.length + digits.length;
  // zero has no significant digits, whatever its exponent
  return significant && `${sign}0.${significant}e${power}`;
};

/**
 * Returns why a value would change when it is written as JSON and read again, or null if it would
 * not.
 * @param depthMax maximum number of nested arrays and objects, including the value itself.
 */
export const jsonFault = (value: unknown, depthMax: number): string | null => {
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value === 'string') return textFault(value);
  if (typeof value === 'number') return numberFault(value);
  if (typeof value !== 'object') return `no JSON value: ${typeof value}`;
  if (depthMax === 0) return 'nested too deeply';
  if (Array.isArray(value)) {
    for (const item of value) {
      const fault = jsonFault(item, depthMax - 1);
      if (fault) return fault;
    }
    return null;
  }
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name];
    const fault = textFault(name) ?? jsonFault(member, depthMax - 1);
    if (fault) return fault;
  }
  return null;
};

const textFault = (text: string): string | null =>
  text.isWellFormed() ? null : 'a lone surrogate is no text';

const numberFault = (value: number): string | null => {
  if (!Number.isFinite(value)) return 'a number is not finite';
  return Object.is(value, -0) ? '-0 is written as 0' : null;
};

/** Returns what is wrong with an object that must have exactly these members, or null. */
export const membersFault = (value: unknown, names: readonly string[]): string | null => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not an object';
  for (const name of names) if (!Object.hasOwn(value, name)) return `the member ${name} is missing`;
  const given = Object.keys(value);
  if (given.length === names.length) return null;
  const unknown = given.find((name) => !names.includes(name)) ?? '';
  return `the member ${JSON.stringify(unknown.slice(0, 40))} does not belong there`;
};

/** Reads an object with exactly these members. @throws Rejection for any other value. */
export const readMembers = <Name extends string>(
  value: unknown,
  names: readonly Name[],
): Record<Name, unknown> => {
  const fault = membersFault(value, names);
  if (fault) throw new Rejection(fault);
  return value as Record<Name, unknown>;
};

/** Reads a number that is whole, not negative and exact. @throws Rejection for any other value. */
export const readWholeNumber = (value: unknown, name: string): number => {
  if (!isWholeNumber(value)) throw new Rejection(`${name} is not a whole number`);
  return value;
};

const isWholeNumber = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
