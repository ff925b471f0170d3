import { pipeline } from 'node:stream/promises';
import { cellHeader, unattendedHeader } from '@pto/proto/headers';
import { type RequestHandler, Router } from 'express';
import { fail } from '../browser/fail.ts';
import type { SessionCookie } from '../browser/session-cookie.ts';
import type { Operators } from './operators.ts';

const requestIdForm = /^[\w-]{1,64}$/;
const cellForm = /^[a-z][a-z0-9-]{0,30}$/;

/**
 * Forwards the calls of the web application in the session of the browser: POST requests for
 * /rpc/PROCESS/SERVICE/METHOD. The operators service checks the session before it reads the body,
 * bounds the body, checks the role, records the call and answers; nothing is decided, changed or
 * kept here.
 */
export const forwardCalls = (operators: Operators, session: SessionCookie): RequestHandler => {
  const router = Router();
  router.post('/rpc/:process/:service/:method', async (request, response) => {
    const credential = session.of(request);
    if (credential === undefined)
      return fail(response, 401, 'unauthenticated', 'Sign in to go on.');
    const { process, service, method } = request.params;
    const parts = [process, service, method];
    if (!parts.every((part) => /^[\w.]{1,100}$/.test(part) && !part.startsWith('.')))
      return fail(response, 404, 'not_found', 'There is no such call.');
    if (!/^application\/json\b/.test(request.get('content-type') ?? ''))
      return fail(response, 415, 'invalid_argument', 'Send application/json.');
    const id = request.get('x-request-id');
    const cell = request.get(cellHeader);
    const answer = await operators.call(request, {
      path: parts.join('/'),
      credential,
      body: request,
      requestId: id !== undefined && requestIdForm.test(id) ? id : undefined,
      cell: cell !== undefined && cellForm.test(cell) ? cell : undefined,
      isUnattended: request.get(unattendedHeader) !== undefined,
    });
    if (answer.statusCode === 401) session.forget(response);
    // the rest of a body that was answered early is not read
    if (!request.complete) response.set('Connection', 'close');
    response.status(answer.statusCode).set({
      'Cache-Control': 'no-store',
      'Content-Type': answer.headers['content-type']?.toString() ?? 'application/json',
    });
    await pipeline(answer.body, response);
  });
  return router;
};
