import { NotSentError } from '../errors/transport-orders-error.ts';

/**
 * Returns the JSON of a request body.
 * @throws NotSentError for a value that JSON cannot hold. JSON.stringify would write some of them
 *   as null or {}, which the API would take for what was meant.
 */
export const bodyText = (body: unknown): string => {
  try {
    return JSON.stringify(body, checked);
  } catch (cause) {
    if (cause instanceof NotSentError) throw cause;
    throw new NotSentError(`the body is not JSON: ${(cause as Error).message}`, { cause });
  }
};

/** Replacer of JSON.stringify: `this` has the value as it was given, before `toJSON`. */
function checked(this: unknown, name: string, value: unknown): unknown {
  const fault = faultOf(value, (this as Record<string, unknown>)[name], Array.isArray(this));
  if (fault) throw new NotSentError(`the body is not JSON: ${JSON.stringify(name)} is ${fault}`);
  return value;
}

const faultOf = (value: unknown, given: unknown, isElement: boolean): string | null => {
  if (given instanceof Date && value === null) return 'a date without a time';
  if (typeof value === 'number') return Number.isFinite(value) ? null : `${value}`;
  if (typeof value === 'string') return value.isWellFormed() ? null : 'a lone surrogate';
  if (typeof value === 'object') return isSilent(value) ? 'an object without members' : null;
  // an absent member is left out, as JSON.stringify does
  if (value === undefined) return isElement ? 'undefined' : null;
  return typeof value === 'boolean' ? null : `a ${typeof value}`;
};

/** Whether JSON would show nothing of an object: a Map, a Promise, bytes. */
const isSilent = (value: object | null): boolean => {
  if (value === null || Array.isArray(value)) return false;
  if (ArrayBuffer.isView(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return !isPlain && Object.keys(value).length === 0;
};
