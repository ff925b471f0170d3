import type { Telemetry } from '@pto/telemetry';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { fail } from '../browser/fail.ts';
import type { PendingCookie } from '../browser/pending-cookie.ts';
import { operatorSession } from '../browser/session-cookie.ts';
import type { OpenId } from './openid.ts';
import type { Operators } from './operators.ts';

const credentialMax = 16_384;

/**
 * `POST /session` exchanges an operator's credential for a session; the browser keeps the session
 * in a cookie that no script can read, and the credential nowhere. `DELETE /session` ends it, with
 * `?everywhere` all sessions of the operator. `GET /session/openid` begins a sign-in at the OpenID
 * provider, which ends at `/session/openid/callback`.
 */
export const signInAndOut = (
  operators: Operators,
  openId: OpenId,
  pendingCookie: PendingCookie,
  { log }: Pick<Telemetry, 'log'>,
): RequestHandler => {
  const router = Router();
  const start = async (request: Request, credential: string) => {
    const answer = await operators.call(request, {
      path: 'operators/operators.v1.OperatorService/StartSession',
      credential,
      body: '{}',
    });
    const content = (await answer.body.json()) as { secret?: string; expiresAt?: string };
    return { status: answer.statusCode, content };
  };
  router.get('/session', async (_request, response) => {
    const provider = await openId.providerOf();
    response.set('Cache-Control', 'no-store').json({ openId: provider !== undefined });
  });
  router.post('/session', express.json({ limit: '32kb' }), async (request, response) => {
    const credential: unknown = request.body?.credential;
    if (typeof credential !== 'string' || !/^[\x21-\x7e]+$/.test(credential))
      return fail(response, 400, 'invalid_argument', 'Enter your personal token.');
    if (credential.length > credentialMax)
      return fail(response, 400, 'invalid_argument', 'This is not a personal token.');
    const { status, content } = await start(request, credential);
    response.status(status).set('Cache-Control', 'no-store');
    if (status !== 200 || content.secret === undefined) response.json(content);
    else {
      operatorSession.keep(response, content.secret);
      response.json({ expiresAt: content.expiresAt });
    }
  });
  router.get('/session/openid', async (_request, response) => {
    const provider = await openId.providerOf();
    if (!provider) return fail(response, 404, 'not_found', 'There is no OpenID provider.');
    const { url, pending } = await openId.begin(provider);
    pendingCookie.keep(response, pending);
    response.set('Cache-Control', 'no-store').redirect(303, url);
  });
  router.get('/session/openid/callback', async (request, response) => {
    const secret = await endOpenId(request, response).catch((err) => {
      log.warn({ err }, 'a sign-in with OpenID did not succeed');
    });
    if (secret !== undefined) operatorSession.keep(response, secret);
    response
      .set('Cache-Control', 'no-store')
      .redirect(303, secret === undefined ? '/?sign-in=failed' : '/');
  });
  /** Returns the secret of the new session. */
  const endOpenId = async (request: Request, response: Response): Promise<string | undefined> => {
    const pending = pendingCookie.of(request);
    pendingCookie.forget(response); // the code serves once
    if (!pending)
      throw new Error(
        'no replica with this CONSOLE_OPENID_KEY began a sign-in in this browser in the last 10 min',
      );
    if (!(await openId.providerOf())) throw new Error('there is no OpenID provider');
    const query = request.url.slice(request.path.length);
    const idToken = await openId.end(query, pending);
    const { status, content } = await start(request, idToken);
    if (content.secret === undefined) throw new Error(`the session was refused with ${status}`);
    return content.secret;
  };
  router.delete('/session', async (request, response) => {
    const credential = operatorSession.of(request);
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
    operatorSession.forget(response);
    response.status(204).end();
  });
  return router;
};
