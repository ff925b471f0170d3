import { Rejection } from '../rejection.ts';

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
