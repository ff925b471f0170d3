import type { HttpResponse } from './read-response.ts';

/** Of a whole request, from the connection to the last byte of the response. */
export const deadlineMs = 5000;
const responseMax = 65_536;

/** A witness is unavailable, too slow, or sends too much. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/**
 * Posts a checkpoint to a witness.
 * @param signal ends the request early.
 * @throws Unreachable
 */
export const post = async (
  url: string,
  body: string,
  signal: AbortSignal,
): Promise<HttpResponse> => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'accept-encoding': 'identity' },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]),
    });
    return { status: response.status, body: await readText(response) };
  } catch (error) {
    if (error instanceof Unreachable) throw error;
    const { name, cause } = error as Error & { cause?: { code?: string } };
    throw new Unreachable(
      name === 'TimeoutError' ? `no response within ${deadlineMs} ms` : (cause?.code ?? name),
    );
  }
};

const readText = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // leaving the loop cancels the rest of the body
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > responseMax) throw new Unreachable(`the response exceeds ${responseMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};
