const bytesMax = 256 * 1024;

/** Returns the URL of a path below a base URL, which may have a path of its own. */
export const urlUnder = (base: string, path: string): URL =>
  new URL(path, base.endsWith('/') ? base : `${base}/`);

/**
 * Fetches a JSON document with one request: a GET, or a POST if it has a body.
 * @param timeoutMs limit of the complete request, in milliseconds.
 * @throws Error if there is no response within `timeoutMs`, its status is not 200, its body is
 *   larger than 256 KiB or not JSON
 */
export const fetchJson = async (
  url: URL,
  timeoutMs: number,
  signal: AbortSignal,
  body?: object,
): Promise<unknown> => {
  const response = await fetch(url, {
    headers: {
      ...{ accept: 'application/json', 'user-agent': 'partner-transport-orders/1.0' },
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  if (response.status !== 200) throw new Error(`the server responded with ${response.status}`);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > bytesMax) throw new Error('the response is larger than 256 KiB');
    parts.push(part);
  }
  return JSON.parse(Buffer.concat(parts).toString('utf8'));
};
