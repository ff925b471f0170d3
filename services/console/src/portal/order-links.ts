import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import express, { type RequestHandler, type Response, Router } from 'express';
import { addressesOf } from '../browser/addresses.ts';
import { fail } from '../browser/fail.ts';
import type { Gateway } from './gateway.ts';

/** The requests of the page, by their names, as the gateway has them. */
const requests: Readonly<Record<string, readonly ['GET' | 'POST', string]>> = {
  open: ['POST', '/order-link/views'],
  read: ['GET', '/order-link'],
  'certificate-en': ['GET', '/order-link/certificate?lang=en'],
  'certificate-de': ['GET', '/order-link/certificate?lang=de'],
};
/** A link's secret is a key of the partners' API that shows one order (decision 86). */
const secretForm = /^svc_(?:live|test)_[0-9A-Za-z]{49}$/;

/** The same bytes for every link that shows nothing, whatever the reason and whatever order there is. */
const ended = (response: Response): void =>
  fail(response, 404, 'not_found', 'This link has ended, or never was one.');

/**
 * The page of a link for one order, `/o`, and its requests `POST /o/NAME`, whose body has the secret
 * that stands behind `#` in the page's address. The browser keeps no session, so one browser may have
 * the pages of several links. The gateway decides what a link shows; nothing is kept here.
 */
export const orderLinkPages = (gateway: Gateway, page: RequestHandler): RequestHandler => {
  const router = Router();
  router.use((_request, response, next) => {
    response.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex, nofollow' });
    next();
  });
  router.post('/:name', express.json({ limit: '1kb' }), async (request, response) => {
    const wanted = Object.hasOwn(requests, request.params.name) && requests[request.params.name];
    const { secret }: { secret?: unknown } = request.body ?? {};
    if (!wanted || typeof secret !== 'string' || !secretForm.test(secret)) return ended(response);
    const left = new AbortController();
    response.once('close', () => left.abort());
    const [method, path] = wanted;
    const answer = await gateway.request(path, {
      method,
      headers: { authorization: `Bearer ${secret}`, 'x-forwarded-for': addressesOf(request) },
      signal: left.signal,
    });
    if (answer.statusCode === 200) {
      const type = `${answer.headers['content-type']}`;
      response.status(200).set('Content-Type', type);
      if (type !== 'application/json') response.set('Content-Disposition', 'attachment');
      return pipeline(answer.body, response);
    }
    await text(answer.body);
    if ([401, 403, 404].includes(answer.statusCode)) return ended(response);
    const retryAfter = answer.headers['retry-after'];
    if (retryAfter !== undefined) response.set('Retry-After', `${retryAfter}`);
    if (answer.statusCode === 429)
      return fail(response, 429, 'resource_exhausted', 'Too many requests.');
    return fail(response, 503, 'unavailable', 'A service does not respond. Try again.');
  });
  router.use(page);
  return router;
};
