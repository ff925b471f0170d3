import express, { type Request, type RequestHandler, Router } from 'express';
import { fail } from '../browser/fail.ts';
import type { SessionCookie } from '../browser/session-cookie.ts';
import type { Operators } from './operators.ts';

/** A kind of sessions that the one-time code of a link opens. */
export interface LinkedSessions {
  /** Such as `/session`. */
  readonly path: string;
  /** Such as `access/access.v1.PortalSessionService`. */
  readonly service: string;
  /** Its RPCs: one that exchanges a code, one that reads a session by its secret, one that ends it. */
  readonly open: string;
  readonly get: string;
  readonly end: string;
  /** The RPC that prolongs a session; absent: none does. */
  readonly renew?: string;
  /** The texts that the page sends to open a session, and to prolong one. */
  readonly opening: readonly string[];
  readonly renewal?: readonly string[];
  readonly cookie: SessionCookie;
  /** What a person does without a session. */
  readonly advice: string;
}

/**
 * `POST` exchanges the one-time code of a link for a session, which the browser keeps in a cookie that
 * no script can read (decision 69). The same code with the same proof is the same exchange: a browser
 * that lost the response repeats it. `GET` returns what the session permits, `PUT` prolongs it,
 * `DELETE` ends it.
 */
export const linkedSessions = (operators: Operators, of: LinkedSessions): RequestHandler => {
  const router = Router();
  const { path, cookie } = of;
  const call = async (request: Request, rpc: string, message: object) => {
    const body = JSON.stringify(message);
    const answer = await operators.call(request, { path: `${of.service}/${rpc}`, body });
    return {
      status: answer.statusCode,
      content: (await answer.body.json()) as { readonly secret?: string },
    };
  };
  router.use(path, (_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });
  router.post(path, express.json({ limit: '1kb' }), async (request, response) => {
    const message = textsOf(request, of.opening);
    if (!message) return fail(response, 400, 'invalid_argument', 'This link is not complete.');
    const { status, content } = await call(request, of.open, message);
    if (status !== 200 || content.secret === undefined) {
      response.status(status).json(content);
      return;
    }
    // a browser has one session; the one before ends, unless it is this one
    const before = cookie.of(request);
    if (before !== undefined && before !== content.secret)
      await call(request, of.end, { secret: before });
    cookie.keep(response, content.secret);
    response.status(204).end();
  });
  const inSession =
    (rpc: string, names: readonly string[]): RequestHandler =>
    async (request, response) => {
      const secret = cookie.of(request);
      if (secret === undefined) return fail(response, 401, 'unauthenticated', of.advice);
      const message = textsOf(request, names);
      if (!message) return fail(response, 400, 'invalid_argument', 'The request is not complete.');
      const { status, content } = await call(request, rpc, { secret, ...message });
      if (status === 401) cookie.forget(response);
      if (status === 200 && rpc === of.renew) cookie.keep(response, secret);
      response.status(status).json(content);
    };
  router.get(path, inSession(of.get, []));
  if (of.renew !== undefined)
    router.put(path, express.json({ limit: '1kb' }), inSession(of.renew, of.renewal ?? []));
  router.delete(path, async (request, response) => {
    const secret = cookie.of(request);
    if (secret !== undefined) {
      const { status } = await call(request, of.end, { secret });
      if (status !== 200)
        return fail(response, 503, 'unavailable', 'You are not signed out. Try again.');
    }
    cookie.forget(response);
    response.status(204).end();
  });
  return router;
};

/** Returns these members of the body if each is a text. */
const textsOf = ({ body }: Request, names: readonly string[]): object | undefined => {
  const texts = names.map((name) => [name, body?.[name]] as const);
  return texts.every(([, text]) => typeof text === 'string')
    ? Object.fromEntries(texts)
    : undefined;
};
