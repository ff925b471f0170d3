import { setImmediate as nextIteration } from 'node:timers/promises';
import { Failure } from '@pto/errors';
import type { Request, RequestHandler, Response } from 'express';
import { authorize } from '../authentication/require-key.ts';
import type { Timings } from '../config.ts';
import { heavyBodyBytes, type Lane, type OrganizationSlots } from '../http/organization-slots.ts';
import { readBody, requireJson } from '../http/read-body.ts';
import { nothing, type PartnerResponse, type Responder } from '../http/respond.ts';
import type { KeyBudgets } from '../limits/budgets.ts';
import type { FindPath, RoutePath } from './paths.ts';
import { readRequest } from './read-request.ts';
import type { Deprecation, Route } from './route.ts';

/**
 * Returns the handler of the table's paths: HEAD for each GET. OPTIONS responds with the methods of
 * the path, and every other method is a 405 (decision 15).
 * @throws Failure NOT_FOUND, METHOD_NOT_ALLOWED
 */
export const routerOf =
  (find: FindPath, by: ServedBy): RequestHandler =>
  async (request, response) => {
    const found = find(request.url);
    if (!found)
      throw new Failure('NOT_FOUND', 'This path does not exist.', {
        details: { resource: 'path' },
      });
    const { exchange } = response.locals;
    const { path, allow } = found;
    exchange.route = path;
    const row = found.rowOf(request.method);
    if (row) {
      exchange.isMethodSupported = true;
      exchange.work = serveRoute(row, found, { ...by, request, response });
      await exchange.work;
      return;
    }
    if (request.method !== 'OPTIONS')
      throw new Failure('METHOD_NOT_ALLOWED', `This path supports only ${allow}.`, {
        details: { allow },
      });
    await by.budgets.spendRejected(response, exchange.credentials!);
    await by.responder.respond(request, response, 204, nothing({ Allow: allow }));
  };

/** What a route needs to be served. */
interface ServedBy {
  readonly budgets: KeyBudgets;
  readonly slots: OrganizationSlots;
  readonly responder: Responder;
  readonly timings: Timings;
}

/** Milliseconds reserved for the response after the last RPC. */
const reserveMs = 250;

/**
 * Runs the checks of a matched route, then its handler. The order is fixed in decisions, "Order of
 * checks": organization, scope, rate limit, size, media type, then path, query, header and body.
 * After the rate limit the request takes a slot of its organization, so that a 429 needs none.
 */
const serveRoute = async (
  route: Route,
  { parameters }: RoutePath,
  on: ServedBy & { request: Request; response: Response },
): Promise<void> => {
  const { budgets, slots, timings, request, response } = on;
  const { exchange } = response.locals;
  const { credentials } = exchange;
  if (route.deprecated) announceDeprecation(response, route.deprecated);
  authorize(credentials!, route.scope);
  await budgets.spend(request, response, credentials!);
  if (!(await slots.enter(exchange, laneOf(route, request)))) return;
  const bytes = await readBody(request, response, timings.bodyMs);
  if (route.schemas.body) requireJson(request.headers, bytes.length);
  const isHeavy = bytes.length > heavyBodyBytes;
  const begin = async (): Promise<{ readonly content: Promise<PartnerResponse> }> => {
    const { json, ...parts } = readRequest(route.schemas, {
      path: parameters,
      search: request.url.split('?').slice(1).join('?'),
      headers: request.headersDistinct,
      body: bytes,
    });
    if (isHeavy) await nextIteration(); // other requests run between two parts of the work
    const deadline = performance.now() + (route.deadlineMs ?? timings.operationMs) - reserveMs;
    const content = route.handle({
      ...parts,
      organizationId: credentials!.organization.id,
      credentials: credentials!,
      json,
      bytes,
      call: { deadline },
      read: { deadline, signal: exchange.closed },
    });
    return { content }; // not awaited: the turn ends when the service has the request
  };
  const { content } = await (isHeavy ? slots.inTurn(exchange, begin) : begin());
  await on.responder.respond(request, response, route.success, await content);
};

const laneOf = ({ lane }: Route, { headers }: Request): Lane =>
  lane ??
  (Number(headers['content-length'] ?? 0) > heavyBodyBytes || headers['transfer-encoding']
    ? 'heavy'
    : 'light');

/**
 * Sets the headers that announce the end of an operation: `Deprecation` (RFC 9745), `Sunset`
 * (RFC 8594), and `Link` to the page that describes the replacement.
 */
const announceDeprecation = (response: Response, { since, sunset, link }: Deprecation): void => {
  response.setHeader('Deprecation', `@${Math.floor(since.getTime() / 1000)}`);
  response.setHeader('Sunset', sunset.toUTCString());
  const page = `<${link}>; rel="deprecation"; type="text/html"`;
  response.setHeader('Link', `${page}, <${link}>; rel="sunset"; type="text/html"`);
};
