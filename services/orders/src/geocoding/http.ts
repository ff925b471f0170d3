import { Failure } from '@pto/errors';

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
