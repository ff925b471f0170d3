import { unescape as decoded } from 'node:querystring';
import { Failure } from '@pto/errors';
import type { Request, RequestHandler, Response } from 'express';
import {
  type Admission,
  defaultMaxBytes,
  heavyBodyBytes,
  type Lane,
} from '../admission/admission.ts';
import type { KeyBudgets } from '../admission/budgets.ts';
import { authorize, bearerOf } from '../admission/require-key.ts';
import type { Waits } from '../admission/waits.ts';
import type { Timings } from '../config.ts';
import type { LargeBodies } from '../http/large-bodies.ts';
import { bodySize, readBody, requireJson } from '../http/read-body.ts';
import { nothing, type PartnerResponse, type Responder } from '../http/respond.ts';
import { readRequest, readRequestInSteps } from './read-request.ts';
import type { Route } from './route.ts';

/** What the operations need to be served. */
interface ServedBy {
  readonly budgets: KeyBudgets;
  readonly admission: Admission;
  readonly waits: Waits;
  readonly largeBodies: LargeBodies;
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
    const { context } = response.locals;
    const { path, allow, parameters } = found;
    context.route = path;
    const row = found.rowOf(request.method);
    if (row) {
      context.isMethodSupported = true;
      context.operation = row.name;
      context.work = serveRoute(row, parameters, request, response, by);
      await context.work;
      return;
    }
    if (request.method !== 'OPTIONS')
      throw new Failure('METHOD_NOT_ALLOWED', `This path supports only ${allow}.`, {
        details: { allow },
      });
    await by.budgets.spendRejected(response, context.credentials!);
    context.isWithinBudget = true;
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
      // bytes that are not UTF-8 become U+FFFD, so that an id with them is invalid
      const parameters = Object.fromEntries(groups.map(([name, text]) => [name, decoded(text)]));
      return { ...found, parameters };
    }
    return undefined;
  };
};

/** Milliseconds reserved for the response after the last RPC. */
const reserveMs = 250;

/**
 * Runs the checks of a matched route, then its handler. The order is fixed in decisions, "Order of
 * checks": organization, scope, rate limit, size, media type, then path, query, header and body.
 * After the rate limit the request takes the memory for its body, and when that has arrived a slot of
 * its organization; so a 429 needs neither.
 */
const serveRoute = async (
  route: Route,
  path: Readonly<Record<string, string>>,
  request: Request,
  response: Response,
  { budgets, admission, waits, largeBodies, responder, timings }: ServedBy,
): Promise<void> => {
  const { context } = response.locals;
  const credentials = context.credentials!;
  if (route.deprecated) {
    const { since, sunset } = route.deprecated;
    response.setHeader('Deprecation', `@${Math.floor(since.getTime() / 1000)}`); // RFC 9745
    response.setHeader('Sunset', sunset.toUTCString()); // RFC 8594
  }
  authorize(credentials, route, path);
  await budgets.spend(request, response, credentials);
  context.isWithinBudget = true;
  const size = bodySize(request.headers, route.large?.bodyMaxBytes);
  const lane = laneOf(route, request, size);
  const isHeavy = size > heavyBodyBytes;
  if (size > 0 && !(await admission.holdBytes(context, size))) return;
  const isWaitedFor = () => admission.isWaitedFor(context, size);
  const bytes = await readBody(request, timings, size, isWaitedFor);
  if (route.schemas.body && !(route.optionalBody && bytes.length === 0))
    requireJson(request.headers, bytes.length);
  const readAt = size > 0 ? performance.now() : context.begun;
  if (!(await admission.enter(context, lane, readAt))) return;
  const isFile = route.large !== undefined && bytes.length > defaultMaxBytes;
  const begin = async (): Promise<{ readonly content: Promise<PartnerResponse> }> => {
    const raw = {
      path,
      search: searchOf(request),
      headers: request.headersDistinct,
      body: bytes,
      parsed: isFile
        ? await largeBodies.parse({
            bytes,
            large: route.large!.member,
            isHashed: request.headers['idempotency-key'] !== undefined,
          })
        : undefined,
    };
    const parts = isHeavy
      ? await readRequestInSteps(route, raw, context.closed)
      : readRequest(route, raw);
    const deadlineFromNow = () =>
      performance.now() + (route.deadlineMs ?? timings.operationMs) - reserveMs;
    // the organization may be in another cell after a wait
    const isAllowed = () => authorize(context.credentials!, route, path);
    const cellNow = async () => {
      await context.checkKey!();
      isAllowed();
      return context.credentials!.organization.cell;
    };
    const callNow = () => ({
      // a getter: `cellNow` may have found another cell before the handler's next RPC
      get cell() {
        return context.credentials!.organization.cell;
      },
      cellNow,
      onHeld: () => admission.leaveWhileHeld(context, lane),
      deadline: deadlineFromNow(),
    });
    // not a spread, which would read the cell
    const readNow = () => Object.assign(callNow(), { signal: context.closed });
    const content = route.handle({
      ...parts,
      organizationId: credentials.organization.id,
      credentials,
      secret: () => bearerOf(request.headersDistinct.authorization ?? []),
      accepts: (types) => request.accepts([...types]) || undefined,
      call: callNow(),
      read: readNow(),
      wait: async (until) =>
        (await waits.outsideOfSlot(context, lane, until, isAllowed)) ? readNow() : null,
    });
    // a body's turn ends when its service has it; a file is in memory until its service has responded
    if (isFile) await content;
    return { content };
  };
  const kind = isFile ? 'file' : isHeavy ? 'heavy' : 'light';
  const { content } = await admission.inTurn(context, kind, readAt, begin);
  await responder.respond(request, response, route.success, await content);
};

/** The query of a request, as it was sent. */
const searchOf = ({ url }: Pick<Request, 'url'>): string => url.split('?').slice(1).join('?');

const laneOf = ({ lane }: Route, { url }: Request, size: number): Lane => {
  if (typeof lane === 'function') return lane(new URLSearchParams(searchOf({ url })));
  if (lane) return lane;
  return size > heavyBodyBytes ? 'heavy' : 'light';
};
