import type { IncomingMessage, RequestListener } from 'node:http';
import { apiKeyName } from '../access/api-key.ts';
import { authorize, requireValid } from '../authentication/authenticate.ts';
import { bearerOf } from '../authentication/bearer.ts';
import type { Credentials } from '../authentication/credentials.ts';
import type { KeyLookup } from '../authentication/key-lookup.ts';
import { type KeyBudgets, rateLimitHeaders } from '../http/key-budgets.ts';
import type { Observer } from '../http/observe.ts';
import { requestIdHeader } from '../http/request-id.ts';
import type { Responder } from '../http/sending/responder.ts';
import type { Remaining } from '../limits/budget.ts';
import { deprecationHeaders } from './deprecation.ts';
import type { FindPath } from './paths.ts';
import type { Route } from './route.ts';

/** A request that passes every check before the rate limit, and whose budget is used up. */
interface Blocked {
  readonly route: Route;
  readonly credentials: Credentials;
  readonly left: Remaining;
}

/**
 * Answers requests with a 429 ahead of the app if this replica knows that their budget is used up
 * (docs/decisions/blocked-requests.md). The response has the same bytes as that of the app. Every
 * other request goes to the app, also one that fails a check before the rate limit: the app then
 * rejects that request with the right error.
 */
export const answerBlockedRequests = (
  deps: {
    find: FindPath;
    known: KeyLookup['known'];
    isAllowed(credentials: Credentials, request: IncomingMessage): boolean;
    used(keyId: string): void;
    budgets: KeyBudgets;
    observer: Observer;
    responder: Responder;
  },
  app: RequestListener,
): RequestListener => {
  const { budgets, observer, responder } = deps;

  /** @throws Failure of a check before the rate limit */
  const check = (request: IncomingMessage): Blocked | undefined => {
    const route = deps.find(request.url ?? '')?.rowOf(request.method);
    if (!route) return undefined;
    const key = bearerOf(request.headersDistinct.authorization ?? []);
    const credentials = deps.known(apiKeyName(key));
    if (!credentials || !deps.isAllowed(credentials, request)) return undefined;
    const left = budgets.blocked(request, credentials);
    if (!left) return undefined;
    requireValid(credentials);
    authorize(credentials, route.scope);
    return { route, credentials, left };
  };

  const blockedRequest = (request: IncomingMessage): Blocked | undefined => {
    if (!budgets.anyBlocked()) return undefined;
    try {
      return check(request);
    } catch {
      return undefined; // the app throws the same failure and responds with it
    }
  };

  return (request, response) => {
    const blocked = blockedRequest(request);
    if (!blocked) {
      app(request, response);
      return;
    }
    const { route, credentials, left } = blocked;
    const begun = Date.now();
    const id = observer.observeRejected(request, response, {
      begun,
      route: route.path,
      credentials,
    });
    deps.used(credentials.keyId);
    const { deprecated } = route;
    responder.respondRateLimited(response, begun, left, [
      requestIdHeader,
      id,
      ...(deprecated ? Object.entries(deprecationHeaders(deprecated)).flat() : []),
      ...rateLimitHeaders(left),
    ]);
  };
};
