/** Requests of one partner, timed from the outside. */
import { Agent, request } from 'undici';
import { orderBody } from '../../e2e/partner.ts';
import { requireStatus } from '../measuring/report.ts';

const requestMaxMs = 30_000;
/** Each program's own: what it waits for is not shared with another one. */
const dispatcher = new Agent({ connections: null, pipelining: 1, connectTimeout: requestMaxMs });

interface Called {
  readonly status: number;
  readonly ms: number;
  readonly text: string;
}

/**
 * One request with a bearer key, its body read to the end. Status 0: no response.
 * @param baseUrl of the API. @param body a text is sent as it is, all else as JSON.
 */
export const call = async (
  baseUrl: string,
  method: string,
  path: string,
  key: string | undefined,
  body?: unknown,
): Promise<Called> => {
  const begun = performance.now();
  const sent = request(baseUrl + path, {
    dispatcher,
    method: method as 'GET',
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    headersTimeout: requestMaxMs,
    bodyTimeout: requestMaxMs,
  });
  const response = await sent.then(
    async ({ statusCode, body }) => ({ status: statusCode, text: await body.text() }),
    () => ({ status: 0, text: '' }),
  );
  return { ...response, ms: performance.now() - begun };
};

/** Creates something by a POST. @returns its id. @throws VoidRun for another status than 201. */
export const create = async (
  baseUrl: string,
  path: string,
  key: string | undefined,
  body: unknown,
): Promise<string> => {
  const { status, text } = await call(baseUrl, 'POST', path, key, body);
  requireStatus(`POST ${path} ${text}`, 201, status);
  return JSON.parse(text).id;
};

export const orderWith = (itemCount: number) =>
  orderBody({ items: Array.from({ length: itemCount }, () => ({ goods_type: 'b' })) });
