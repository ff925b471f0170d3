import express, { type Request, type RequestHandler, Router } from 'express';
import { fail } from '../browser/fail.ts';
import { portalSession } from '../browser/session-cookie.ts';
import type { Operators } from '../operators/operators.ts';

const service = 'access/access.v1.PortalSessionService';

/**
 * `POST /session` exchanges the one-time code of a link for a session, which the browser keeps in a
 * cookie that no script can read (decision 69). The same code with the same nonce is the same
 * exchange: a browser that lost the response repeats it. `GET /session` returns what the session permits,
 * `DELETE /session` ends it.
 */
export const openAndEnd = (operators: Operators): RequestHandler => {
  const router = Router();
  const call = async (request: Request, rpc: string, message: object) => {
    const body = JSON.stringify(message);
    const answer = await operators.call(request, { path: `${service}/${rpc}`, body });
    return {
      status: answer.statusCode,
      content: (await answer.body.json()) as { readonly secret?: string },
    };
  };
  router.use('/session', (_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });
  router.post('/session', express.json({ limit: '1kb' }), async (request, response) => {
    const { code, nonce }: { code?: unknown; nonce?: unknown } = request.body ?? {};
    if (typeof code !== 'string' || typeof nonce !== 'string')
      return fail(response, 400, 'invalid_argument', 'This link is not complete.');
    const { status, content } = await call(request, 'OpenSession', { code, nonce });
    if (status !== 200 || content.secret === undefined) {
      response.status(status).json(content);
      return;
    }
    // a browser has one session; the one before ends, unless it is this one
    const before = portalSession.of(request);
    if (before !== undefined && before !== content.secret)
      await call(request, 'EndSession', { secret: before });
    portalSession.keep(response, content.secret);
    response.status(204).end();
  });
  router.get('/session', async (request, response) => {
    const secret = portalSession.of(request);
    if (secret === undefined)
      return fail(response, 401, 'unauthenticated', 'Open the portal by a link.');
    const { status, content } = await call(request, 'GetSession', { secret });
    if (status === 401) portalSession.forget(response);
    response.status(status).json(content);
  });
  router.delete('/session', async (request, response) => {
    const secret = portalSession.of(request);
    if (secret !== undefined) {
      const { status } = await call(request, 'EndSession', { secret });
      if (status !== 200)
        return fail(response, 503, 'unavailable', 'You are not signed out. Try again.');
    }
    portalSession.forget(response);
    response.status(204).end();
  });
  return router;
};
