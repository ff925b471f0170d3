import type { IncomingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type RequestHandler, Router } from 'express';
import { addressesOf } from '../browser/addresses.ts';
import { fail } from '../browser/fail.ts';
import { portalSession } from '../browser/session-cookie.ts';
import type { Gateway } from './gateway.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof methods)[number];

const budget = ['x-ratelimit-limit', 'x-ratelimit-remaining'] as const;
/** Headers of the gateway's response that the web application reads. */
const passed = ['content-type', 'x-request-id', 'retry-after', ...budget] as const;
const json = /^application\/(?:\w+\+)?json\b/;

/**
 * Forwards requests for /api/PATH to the partners' gateway, with the key of the browser's session
 * (decision 69). Scopes, budgets and the border between organizations are the gateway's; nothing is
 * decided, changed or kept here.
 */
export const forwardRequests = (gateway: Gateway): RequestHandler => {
  const router = Router();
  router.all(/^\/api\//, async (request, response) => {
    const key = portalSession.of(request);
    if (key === undefined)
      return fail(response, 401, 'unauthenticated', 'Open the portal by a link.');
    const [path = ''] = request.url.slice('/api'.length).split('?');
    const method = methods.find((one) => one === request.method);
    if (method === undefined || !/^(?:\/[\w-][\w.-]*)+$/.test(path))
      return fail(response, 404, 'not_found', 'There is no such call.');
    // a browser that leaves ends its request: the gateway stops reading for it, and its wait
    const left = new AbortController();
    response.once('close', () => left.abort());
    const answer = await gateway.request(request.url.slice('/api'.length), {
      method: method satisfies Method,
      headers: {
        authorization: `Bearer ${key}`,
        accept: request.get('accept') ?? '*/*',
        'x-forwarded-for': addressesOf(request),
        ...keyHeader(request.headers),
        ...bodyHeaders(request.headers),
      },
      ...(hasBody(request.headers) && { body: request }),
      signal: left.signal,
    });
    if (answer.statusCode === 401) portalSession.forget(response);
    // the rest of a body that was answered early is not read
    if (!request.complete) response.set('Connection', 'close');
    response.status(answer.statusCode).set('Cache-Control', 'no-store');
    for (const name of passed) {
      const value = answer.headers[name];
      if (value !== undefined) response.set(name, `${value}`);
    }
    // a file of the gateway is saved, never shown as a page of this origin
    if (!json.test(`${answer.headers['content-type']}`))
      response.set('Content-Disposition', 'attachment');
    await pipeline(answer.body, response);
  });
  return router;
};

/** With it a repetition after a lost answer does nothing twice. */
const keyHeader = ({ 'idempotency-key': key }: IncomingHttpHeaders) =>
  key !== undefined && { 'idempotency-key': `${key}` };

/** With its length: the gateway handles a body of unknown length as a large one. */
const bodyHeaders = (headers: IncomingHttpHeaders) => ({
  ...(hasBody(headers) && { 'content-type': 'application/json' }),
  ...(headers['content-length'] !== undefined && { 'content-length': headers['content-length'] }),
});

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
