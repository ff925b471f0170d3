import express, { type RequestHandler, Router } from 'express';
import { fail } from '../browser/fail.ts';
import { forgetSession, keepSession, sessionOf } from '../browser/session-cookie.ts';
import type { Operators } from './operators.ts';

const credentialMax = 16_384;

/**
 * `POST /session` exchanges an operator's credential for a session; the browser keeps the session
 * in a cookie that no script can read, and the credential nowhere. `DELETE /session` ends it, with
 * `?everywhere` all sessions of the operator.
 */
export const signInAndOut = (operators: Operators): RequestHandler => {
  const router = Router();
  router.post('/session', express.json({ limit: '32kb' }), async (request, response) => {
    const credential: unknown = request.body?.credential;
    if (typeof credential !== 'string' || !/^[\x21-\x7e]+$/.test(credential))
      return fail(response, 400, 'invalid_argument', 'Enter your personal token.');
    if (credential.length > credentialMax)
      return fail(response, 400, 'invalid_argument', 'This is not a personal token.');
    const answer = await operators.call(request, {
      path: 'operators/operators.v1.OperatorService/StartSession',
      credential,
      body: '{}',
    });
    const content = (await answer.body.json()) as { secret?: string; expiresAt?: string };
    response.status(answer.statusCode).set('Cache-Control', 'no-store');
    if (answer.statusCode !== 200 || content.secret === undefined) response.json(content);
    else {
      keepSession(response, content.secret);
      response.json({ expiresAt: content.expiresAt });
    }
  });
  router.delete('/session', async (request, response) => {
    const credential = sessionOf(request);
    if (credential !== undefined) {
      const answer = await operators.call(request, {
        path: 'operators/operators.v1.OperatorService/EndSession',
        credential,
        body: JSON.stringify({ everywhere: 'everywhere' in request.query }),
      });
      await answer.body.dump();
      // an ended session is what was wanted; after any other failure the session still runs
      if (answer.statusCode !== 200 && answer.statusCode !== 401)
        return fail(response, 503, 'unavailable', 'You are not signed out. Try again.');
    }
    forgetSession(response);
    response.status(204).end();
  });
  return router;
};
