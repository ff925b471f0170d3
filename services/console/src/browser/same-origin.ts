import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import { fail } from './fail.ts';

const reading = new Set(['GET', 'HEAD']);

/**
 * Rejects a request that may change something unless a page of this origin sent it (CSRF). The
 * session's cookie is SameSite=Strict as well, but a sibling domain is the same site.
 */
export const requireSameOrigin: RequestHandler = ({ method, headers }, response, next) => {
  if (reading.has(method) || isSameOrigin(headers)) return next();
  fail(response, 403, 'permission_denied', 'This request did not come from the console.');
};

/** Browsers set Sec-Fetch-Site on secure origins; older ones set Origin. A page can change neither. */
const isSameOrigin = (headers: IncomingHttpHeaders): boolean => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  return origin !== undefined && URL.parse(origin)?.host === host;
};
