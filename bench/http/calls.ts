/** Requests of one partner. */
import { request } from 'undici';
import { orderBody } from '../../e2e/partner.ts';
import { requireStatus } from '../measuring/report.ts';

const requestMaxMs = 30_000;

/** One request with a bearer key and a JSON body, its response read to the end. Status 0: no response. */
export const call = async (
  baseUrl: string,
  method: 'GET' | 'PUT' | 'POST',
  path: string,
  key: string | undefined,
  body?: unknown,
): Promise<{ readonly status: number; readonly text: string }> => {
  const sent = request(baseUrl + path, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headersTimeout: requestMaxMs,
    bodyTimeout: requestMaxMs,
  });
  return sent.then(
    async ({ statusCode, body }) => ({ status: statusCode, text: await body.text() }),
    () => ({ status: 0, text: '' }),
  );
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
