import { bodyHash, parseJsonBody } from './json-body.ts';

/** A body of more than 256 KiB, for the thread that parses it. */
export interface LargeBody {
  readonly bytes: Uint8Array;
  /** Name of the member whose text may be large. */
  readonly large: string;
  /** Whether the request has an idempotency key, which needs the hash. */
  readonly isHashed: boolean;
}

export interface ParsedBody {
  /** The JSON; the large member's text is its bytes in UTF-8, if it can be stored as text. */
  readonly json: unknown;
  readonly sha256?: Uint8Array;
}

/**
 * Parses and hashes a large body (decision 76).
 * @throws Failure as `parseJsonBody`
 */
export const parseLargeBody = async ({
  bytes,
  large,
  isHashed,
}: LargeBody): Promise<ParsedBody> => {
  const json = parseJsonBody(bytes, large) as Record<string, unknown> | null;
  const sha256 = isHashed ? bodyHash(json, bytes) : undefined;
  const text = json?.[large];
  // a text that is no valid one stays as it is: its schema reports the fault
  if (json && typeof text === 'string' && isText(text))
    json[large] = new TextEncoder().encode(text);
  return { json, ...(sha256 && { sha256 }) };
};

/** Returns whether PostgreSQL and UTF-8 can store the text, and it is not empty (decision 2). */
const isText = (text: string): boolean =>
  text !== '' && text.isWellFormed() && !text.includes('\0');
