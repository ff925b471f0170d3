import { Rejection } from '../rejection.ts';

/** Reads a number that is whole, not negative and exact. @throws Rejection for any other value. */
export const readWholeNumber = (value: unknown, name: string): number => {
  if (!isWholeNumber(value)) throw new Rejection(`${name} is not a whole number`);
  return value;
};

const isWholeNumber = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
