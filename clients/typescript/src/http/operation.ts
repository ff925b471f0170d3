import { NotSentError } from '../errors.ts';
import { isLoopback } from './direct.ts';

/** One call of the API, before it is sent. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path relative to the base URL, with a leading slash. */
  readonly path: string | Path;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  /** Headers of this operation alone; an undefined one is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /**
   * Whether the request can be sent again although it may have been executed. True for reads, and
   * for writes that the service executes only once. If false, only a 429 is repeated.
   */
  readonly repeatable: boolean;
}

/** A path with parameters, which are ids and not checked yet. */
export interface Path {
  readonly parts: TemplateStringsArray;
  readonly ids: readonly string[];
}

/** Template tag: returns a path with its parameters. */
export const path = (parts: TemplateStringsArray, ...ids: readonly string[]): Path => ({
  parts,
  ids,
});

/**
 * Returns the text of a path.
 * @throws NotSentError for a parameter that is no id: `..` would name another path.
 */
export const pathText = (path: string | Path): string =>
  typeof path === 'string' ? path : String.raw({ raw: path.parts }, ...path.ids.map(idText));

/** Returns a time in ISO 8601. @throws NotSentError for a Date without a time. */
export const timeText = (time: string | Date): string => {
  if (typeof time === 'string') return time;
  if (Number.isNaN(time.getTime())) throw new NotSentError('a Date without a time');
  return time.toISOString();
};

const idText = (id: unknown): string => {
  if (typeof id !== 'string' || !idForm.test(id))
    throw new NotSentError('an id is a UUID, that of an artifact a SHA-256 in hexadecimal digits');
  return encodeURIComponent(id);
};

/**
 * A SHA-256, or a UUID in the forms that the API reads: with hyphens, without, in braces or as a URN
 * (decision 1).
 */
const grouped = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const idForm = new RegExp(
  `^(?:[0-9a-f]{64}|[0-9a-f]{32}|(?:urn:uuid:)?${grouped}|\\{${grouped}\\})$`,
  'i',
);

/**
 * Returns the base URL without slashes at its end. `http:` is for this machine alone, unless
 * `allowInsecure` permits more.
 * @throws NotSentError for a text to which no request with a key is sent.
 */
export const checkedBaseUrl = (baseUrl: string, allowInsecure: boolean): string => {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new NotSentError('baseUrl: not a URL that begins with https:');
  if (url.username || url.password || url.search || url.hash)
    throw new NotSentError('baseUrl: expected neither user, query nor fragment');
  if (url.protocol === 'http:' && !allowInsecure && !isLoopback(url.hostname))
    throw new NotSentError(
      `baseUrl: http: would send the key readable to ${url.hostname}; use https:, or allowInsecure`,
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
};

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
