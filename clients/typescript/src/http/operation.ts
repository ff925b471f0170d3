import { NotSentError } from '../errors/transport-orders-error.ts';

/** One call of the API, before it is sent. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path relative to the base URL, with a leading slash. */
  readonly path: string | Path;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
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
 * @throws NotSentError for a parameter that is not a UUID: `..` would name another path.
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
  if (typeof id !== 'string' || !uuidForm.test(id)) throw new NotSentError('an id is a UUID');
  return encodeURIComponent(id);
};

/** The forms that the API reads: with hyphens, without, in braces or as a URN (decision 1). */
const grouped = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const uuidForm = new RegExp(`^(?:[0-9a-f]{32}|(?:urn:uuid:)?${grouped}|\\{${grouped}\\})$`, 'i');
