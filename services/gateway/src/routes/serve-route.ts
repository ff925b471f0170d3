import type { Request, RequestHandler, Response } from 'express';
import { authorize } from '../authentication/authenticate.ts';
import { requireJson } from '../http/body/media-type.ts';
import { readBody } from '../http/body/read-body.ts';
import type { KeyBudgets } from '../http/key-budgets.ts';
import type { Responder } from '../http/sending/responder.ts';
import { deprecationHeaders } from './deprecation.ts';
import { readRequest } from './read-request.ts';
import type { Route } from './route.ts';

const deadlineMs = 10_000;
/** Milliseconds reserved for the response after the last RPC. */
const reserveMs = 250;

/**
 * Runs the checks of a matched route, then its handler. The order is fixed in decisions, "Order of
 * checks": organization, scope, rate limit, size, media type, then path, query, header and body.
 */
export const serveRoute =
  (route: Route, budgets: KeyBudgets, responder: Responder): RequestHandler =>
  (request, response) => {
    const work = serve(route, budgets, responder, request, response);
    response.locals.exchange.work = work;
    return work;
  };

const serve = async (
  route: Route,
  budgets: KeyBudgets,
  { respond }: Responder,
  request: Request,
  response: Response,
): Promise<void> => {
  const { begun, closed, credentials } = response.locals.exchange;
  if (route.deprecated)
    response.setHeaders(new Map(Object.entries(deprecationHeaders(route.deprecated))));
  authorize(credentials!, route.scope);
  await budgets.spend(request, response, credentials!);
  const bytes = await readBody(request, response);
  if (route.schemas.body) requireJson(request.headers, bytes.length);
  const { json, ...parts } = readRequest(route.schemas, {
    path: request.params as Record<string, string>, // no wildcards: each parameter is one text
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
    signal: closed,
  });
  await respond(request, response, route.success, content);
};
