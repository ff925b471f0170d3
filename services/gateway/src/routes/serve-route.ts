import { setImmediate as nextIteration } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { authorize } from '../authentication/authenticate.ts';
import { requireJson } from '../http/body/media-type.ts';
import { readBody } from '../http/body/read-body.ts';
import type { KeyBudgets } from '../http/key-budgets.ts';
import { heavyBodyBytes, type Lane, type OrganizationSlots } from '../http/organization-slots.ts';
import type { PartnerResponse } from '../http/sending/partner-response.ts';
import type { Responder } from '../http/sending/responder.ts';
import { announceDeprecation } from './deprecation.ts';
import type { RoutePath } from './paths.ts';
import { readRequest } from './read-request.ts';
import type { Route } from './route.ts';

/** What a route needs to be served. */
export interface ServedBy {
  readonly budgets: KeyBudgets;
  readonly slots: OrganizationSlots;
  readonly responder: Responder;
}

const deadlineMs = 10_000;
/** Milliseconds reserved for the response after the last RPC. */
const reserveMs = 250;

/**
 * Runs the checks of a matched route, then its handler. The order is fixed in decisions, "Order of
 * checks": organization, scope, rate limit, size, media type, then path, query, header and body.
 * After the rate limit the request takes a slot of its organization, so that a 429 needs none.
 */
export const serveRoute = async (
  route: Route,
  { parametersIn }: RoutePath,
  on: ServedBy & { request: Request; response: Response },
): Promise<void> => {
  const { budgets, slots, request, response } = on;
  const { exchange } = response.locals;
  const { credentials } = exchange;
  announceDeprecation(response, route.deprecated);
  authorize(credentials!, route.scope);
  await budgets.spend(request, response, credentials!);
  if (!(await slots.enter(exchange, laneOf(route, request)))) return;
  const toHeavy = () => slots.enter(exchange, 'heavy');
  const bytes = await readBody(request, response, { bytes: heavyBodyBytes, exceeded: toHeavy });
  if (route.schemas.body) requireJson(request.headers, bytes.length);
  const isHeavy = bytes.length > heavyBodyBytes;
  const begin = async (): Promise<{ readonly content: Promise<PartnerResponse> }> => {
    const { json, ...parts } = readRequest(route.schemas, {
      path: parametersIn(request.url),
      search: request.url.split('?').slice(1).join('?'),
      headers: request.headersDistinct,
      body: bytes,
    });
    if (isHeavy) await nextIteration(); // other requests run between two parts of the work
    const content = route.handle({
      ...parts,
      credentials: credentials!,
      json,
      bytes,
      deadline: performance.now() + (route.deadlineMs ?? deadlineMs) - reserveMs,
      get signal() {
        return exchange.closed;
      },
    });
    return { content }; // not awaited: the turn ends when the service has the request
  };
  const { content } = await (isHeavy ? slots.inTurn(exchange, begin) : begin());
  await on.responder.respond(request, response, route.success, await content);
};

const laneOf = ({ lane }: Route, { headers }: Request): Lane =>
  lane ?? (Number(headers['content-length'] ?? 0) > heavyBodyBytes ? 'heavy' : 'light');
