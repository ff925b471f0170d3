import type { Request, Response } from 'express';
import { authorize } from '../authentication/authenticate.ts';
import { requireJson } from '../http/body/media-type.ts';
import { readBody } from '../http/body/read-body.ts';
import type { KeyBudgets } from '../http/key-budgets.ts';
import type { Responder } from '../http/sending/responder.ts';
import { announceDeprecation } from './deprecation.ts';
import type { RoutePath } from './paths.ts';
import { readRequest } from './read-request.ts';
import type { Route } from './route.ts';

const deadlineMs = 10_000;
/** Milliseconds reserved for the response after the last RPC. */
const reserveMs = 250;

/**
 * Runs the checks of a matched route, then its handler. The order is fixed in decisions, "Order of
 * checks": organization, scope, rate limit, size, media type, then path, query, header and body.
 */
export const serveRoute = async (
  route: Route,
  { parametersIn }: RoutePath,
  on: { budgets: KeyBudgets; responder: Responder; request: Request; response: Response },
): Promise<void> => {
  const { budgets, request, response } = on;
  const { exchange } = response.locals;
  const { begun, credentials } = exchange;
  announceDeprecation(response, route.deprecated);
  authorize(credentials!, route.scope);
  await budgets.spend(request, response, credentials!);
  const bytes = await readBody(request, response);
  if (route.schemas.body) requireJson(request.headers, bytes.length);
  const { json, ...parts } = readRequest(route.schemas, {
    path: parametersIn(request.url),
    search: request.url.split('?').slice(1).join('?'),
    headers: request.headersDistinct,
    body: bytes,
  });
  const content = await route.handle({
    ...parts,
    credentials: credentials!,
    json,
    bytes,
    deadline: begun + (route.deadlineMs ?? deadlineMs) - reserveMs,
    get signal() {
      return exchange.closed;
    },
  });
  await on.responder.respond(request, response, route.success, content);
};
