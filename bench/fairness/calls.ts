/** Requests of one partner, timed from the outside. */
import { Agent } from 'undici';

const requestMaxMs = 30_000;
/** Each program's own: what it waits for is not shared with another one. */
const agent = new Agent({ connections: null, pipelining: 1, connectTimeout: requestMaxMs });

export interface Called {
  readonly status: number;
  readonly ms: number;
  readonly bytes: number;
  readonly text: string;
}

/** A request of the partner API, timed (`timed`). */
export const call = (
  origin: string,
  method: string,
  path: string,
  key: string | undefined,
  body?: unknown,
): Promise<Called> => timed(origin, method, `/api/partner/v1${path}`, key, body);

/**
 * One request with a bearer key, its body read to the end. Status 0: no response.
 * @param body a text is sent as it is, all else as JSON.
 */
export const timed = async (
  origin: string,
  method: string,
  path: string,
  key: string | undefined,
  body?: unknown,
): Promise<Called> => {
  const begun = performance.now();
  const text = await agent
    .request({
      origin,
      path,
      method: method as 'GET',
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      headersTimeout: requestMaxMs,
      bodyTimeout: requestMaxMs,
    })
    .then(
      async (response) => ({ status: response.statusCode, text: await response.body.text() }),
      () => ({ status: 0, text: '' }),
    );
  return { ...text, ms: performance.now() - begun, bytes: Buffer.byteLength(text.text) };
};

export const orderWith = (itemCount: number) => ({
  pickup: { address: { street: 'Charitéplatz 1', zip: '10117', city: 'Berlin' } },
  dropoff: { address_text: 'Marienplatz 1, 80331 München' },
  pickup_window_start: '2030-01-01T08:00:00Z',
  items: Array.from({ length: itemCount }, () => ({ goods_type: 'b' })),
});
