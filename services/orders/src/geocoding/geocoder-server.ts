import { Failure } from '@pto/errors';
import type { Place } from './geocoder.ts';

const bytesMax = 256 * 1024;

/**
 * Fetches a JSON document with one GET.
 * @param timeoutMs limit of the complete request, in milliseconds.
 * @param read converts the parsed document; throws an error if the document is invalid.
 * @throws Failure GEOCODER_UNAVAILABLE if there is no response within `timeoutMs`, its status is
 *   not 200, its body is larger than 256 KiB or not JSON, or `read` throws.
 */
export const fetchJson = async <A, R>(
  url: URL,
  timeoutMs: number,
  signal: AbortSignal,
  read: (body: A) => R,
): Promise<R> => {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', 'user-agent': 'partner-transport-orders/1.0' },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (response.status !== 200)
      throw new Error(`the geocoder responded with status ${response.status}`);
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of response.body ?? []) {
      size += part.byteLength;
      if (size > bytesMax) throw new Error('the response of the geocoder is larger than 256 KiB');
      parts.push(part);
    }
    return read(JSON.parse(Buffer.concat(parts).toString('utf8')));
  } catch (cause) {
    throw new Failure('GEOCODER_UNAVAILABLE', 'Addresses cannot be looked up right now.', {
      retryAfterSeconds: 5,
      cause,
    });
  }
};

/** Maximum lengths of a location's texts in code points (contract 2.3). */
const lengths = { street: 255, zip: 20, city: 100, country: 10 } as const;

/**
 * Validates the parts of a geocoder's response. Returns the place. Returns null if a part is
 * missing, a text is too long or has characters that PostgreSQL cannot store, or a coordinate is
 * out of range.
 */
export const readPlace = (parts: { readonly [K in keyof Place]: unknown }): Place | null => {
  const { street, zip, city, country, lat, lng } = parts;
  if (!isDegree(lat, 90) || !isDegree(lng, 180)) return null;
  const texts = { street, zip, city, country };
  const sound = Object.entries(lengths).every(([name, max]) =>
    isText(texts[name as keyof typeof texts], max),
  );
  return sound ? { ...(texts as Record<keyof typeof texts, string>), lat, lng } : null;
};

const isDegree = (value: unknown, max: number): value is number =>
  typeof value === 'number' && Math.abs(value) <= max;

const isText = (value: unknown, max: number): boolean =>
  typeof value === 'string' &&
  value.isWellFormed() &&
  !value.includes('\0') &&
  value.length > 0 &&
  [...value].length <= max;
