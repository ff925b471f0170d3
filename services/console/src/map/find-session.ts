import { operatorSession, portalSession } from '../browser/session-cookie.ts';
import type { OperatorCall, Operators } from '../operators/operators.ts';
import type { FindSession } from './map-route.ts';

/** Returns a function that finds operators' sessions; the operators service checks each of them. */
export const findOperatorSession = (operators: Operators): FindSession =>
  found(operators, operatorSession, (credential) => ({
    path: 'operators/operators.v1.OperatorService/CheckCredential',
    credential,
    body: '{}',
  }));

/** Returns a function that finds sessions of the portal; the operators service checks each of them. */
export const findPortalSession = (operators: Operators): FindSession =>
  found(operators, portalSession, (secret) => ({
    path: 'access/access.v1.PortalSessionService/GetSession',
    body: JSON.stringify({ secret }),
  }));

/**
 * A request without the cookie costs no call.
 * @throws Error if it is open whether the session is valid
 */
const found =
  (
    operators: Operators,
    cookie: Pick<typeof operatorSession, 'of'>,
    callOf: (secret: string) => OperatorCall,
  ): FindSession =>
  async (request) => {
    const secret = cookie.of(request);
    if (secret === undefined) return undefined;
    const { statusCode, body } = await operators.call(request, callOf(secret));
    await body.dump();
    if (statusCode === 401) return undefined;
    if (statusCode === 200) return secret;
    throw new Error(`the session was not checked: ${statusCode}`);
  };
