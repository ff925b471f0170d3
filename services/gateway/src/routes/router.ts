import { setImmediate as nextIteration } from 'node:timers/promises';
import { Failure } from '@pto/errors';
import type { Request, RequestHandler, Response } from 'express';
import { authorize } from '../authentication/require-key.ts';
import type { Timings } from '../config.ts';
import { heavyBodyBytes, type Lane, type OrganizationSlots } from '../http/organization-slots.ts';
import { readBody, requireJson } from '../http/read-body.ts';
import { nothing, type PartnerResponse, type Responder } from '../http/respond.ts';
import type { KeyBudgets } from '../limits/budgets.ts';
import { readRequest } from './read-request.ts';
import type { Deprecation, Route } from './route.ts';

/** What the operations need to be served. */
interface ServedBy {
  readonly budgets: KeyBudgets;
  readonly slots: OrganizationSlots;
  readonly responder: Responder;
  readonly timings: Timings;
}

/**
 * Returns the handler of the table's paths: HEAD for each GET. OPTIONS responds with the methods of
 * the path, and every other method is a 405 (decision 15).
 * @throws Failure NOT_FOUND, METHOD_NOT_ALLOWED
 */
export const routerOf = (
  table: readonly Route[],
  basePath: string,
  by: ServedBy,
): RequestHandler => {
  const find = pathFinder(table, basePath);
  return async (request, response) => {
    const found = find(request.url);
    if (!found)
      throw new Failure('NOT_FOUND', 'This path does not exist.', {
        details: { resource: 'path' },
      });
    const { exchange } = response.locals;
    const { path, allow, parameters } = found;
    exchange.route = path;
    const row = found.rowOf(request.method);
    if (row) {
      exchange.isMethodSupported = true;
      exchange.work = serveRoute(row, parameters, request, response, by);
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
};

/** Returns whether a path is the base path or below it. */
export const isBelow = (basePath: string, path: string): boolean =>
  path === basePath || path.startsWith(`${basePath}/`);

/**
 * Returns a function that finds the path that a request's target matches; undefined: none does.
 * Paths match exactly, and an encoded slash or a fragment matches nothing (decision 15).
 */
export const pathFinder = (table: readonly Route[], basePath: string) => {
  const paths = [...Map.groupBy(table, (row) => row.path)].map(([path, rows]) => ({
    /** Path relative to the base path, with parameters as `:name`. */
    path,
    pattern: new RegExp(`^${basePath}${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
    /** The supported methods, for the header `Allow`. */
    allow: [
      ...rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
      'OPTIONS',
    ].join(', '),
    /** Returns the operation of a method, HEAD as GET; undefined: the path does not support it. */
    rowOf: (method: string | undefined) =>
      rows.find((row) => row.method === (method === 'HEAD' ? 'GET' : method)),
  }));
  return (target: string) => {
    const [path = ''] = target.split('?');
    if (/%2f|#/i.test(path)) return undefined;
    for (const found of paths) {
      const match = found.pattern.exec(path);
      if (!match) continue;
      const groups = Object.entries(match.groups ?? {});
      const parameters = Object.fromEntries(groups.map(([name, text]) => [name, decoded(text)]));
      return { ...found, parameters };
    }
    return undefined;
  };
};

/** Decodes a segment. Bytes that are not UTF-8 become U+FFFD, so that an id with them is invalid. */
const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    const bytes = segment.replace(/%([0-9a-f]{2})/gi, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return Buffer.from(bytes, 'latin1').toString('utf8');
  }
};

/** Milliseconds reserved for the response after the last RPC. */
const reserveMs = 250;

/**
 * Runs the checks of a matched route, then its handler. The order is fixed in decisions, "Order of
 * checks": organization, scope, rate limit, size, media type, then path, query, header and body.
 * After the rate limit the request takes a slot of its organization, so that a 429 needs none.
 */
const serveRoute = async (
  route: Route,
  path: Readonly<Record<string, string>>,
  request: Request,
  response: Response,
  { budgets, slots, responder, timings }: ServedBy,
): Promise<void> => {
  const { exchange } = response.locals;
  const credentials = exchange.credentials!;
  if (route.deprecated) announceDeprecation(response, route.deprecated);
  authorize(credentials, route.scope);
  await budgets.spend(request, response, credentials);
  if (!(await slots.enter(exchange, laneOf(route, request)))) return;
  const bytes = await readBody(request, response, timings.bodyMs);
  if (route.schemas.body) requireJson(request.headers, bytes.length);
  const isHeavy = bytes.length > heavyBodyBytes;
  const begin = async (): Promise<{ readonly content: Promise<PartnerResponse> }> => {
    const parts = readRequest(route.schemas, {
      path,
      search: request.url.split('?').slice(1).join('?'),
      headers: request.headersDistinct,
      body: bytes,
    });
    if (isHeavy) await nextIteration(); // other requests run between two parts of the work
    const deadline = performance.now() + (route.deadlineMs ?? timings.operationMs) - reserveMs;
    const content = route.handle({
      ...parts,
      organizationId: credentials.organization.id,
      credentials,
      bytes,
      call: { deadline },
      read: { deadline, signal: exchange.closed },
    });
    return { content }; // not awaited: the turn ends when the service has the request
  };
  const { content } = await (isHeavy ? slots.inTurn(exchange, begin) : begin());
  await responder.respond(request, response, route.success, await content);
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
