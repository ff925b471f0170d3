import type { IncomingHttpHeaders } from 'node:http';
import type { Database } from '@pto/database';
import { Failure } from '@pto/errors';
import { unattendedHeader } from '@pto/proto/headers';
import { Counter, type Telemetry } from '@pto/telemetry';
import { findRecord } from '../carriers/fill-record.ts';
import { type DriverSessions, looksLikeDriver } from './driver-sessions.ts';
import type { failedAttempts } from './failed-attempts.ts';
import type { VerifyIdToken } from './id-tokens.ts';
import type { Operator } from './operator.ts';
import type { people } from './people.ts';
import { looksLikeSession, type operatorSessions } from './sessions.ts';
import { isToken, looksLikeToken, type operatorTokens } from './tokens.ts';

const rejection = (message: string): Failure => new Failure('OPERATOR_NOT_AUTHENTICATED', message);

const credentialMax = 16_384;

/**
 * Returns a function that verifies the bearer credential of a request: a personal token, a session
 * of the console or of a driver, or an ID token if an OpenID provider is configured. The function looks up the credential's owner at each
 * request, so a revocation takes effect at the next request.
 * @throws Failure OPERATOR_NOT_AUTHENTICATED with what to do next, or RATE_LIMITED.
 */
export const authentication = (deps: {
  db: Database;
  tokens: ReturnType<typeof operatorTokens>;
  people: ReturnType<typeof people>;
  sessions: ReturnType<typeof operatorSessions>;
  drivers: Pick<DriverSessions, 'find'>;
  /** Null if no OpenID provider is configured. */
  verifyIdToken: VerifyIdToken | null;
  attempts: ReturnType<typeof failedAttempts>;
  telemetry: Telemetry;
}) => {
  const failures = new Counter({
    name: 'operator_sign_in_failures_total',
    help: 'Requests of operators whose credential was rejected, by kind of credential',
    labelNames: ['credential'],
    registers: [deps.telemetry.metrics],
  });
  const byToken = async (secret: string): Promise<Operator> => {
    if (!isToken(secret))
      throw rejection('This operator token is misspelled: its checksum is wrong.');
    const token = await deps.tokens.find(secret);
    if (!token)
      throw rejection('This operator token is not known. Ask an administrator for a new one.');
    if (token.revoked)
      throw rejection('This operator token was revoked. Ask an administrator for a new one.');
    if (token.ended)
      throw rejection('This operator token has expired. Ask an administrator for a new one.');
    return { ...token, credential: 'token' };
  };
  const bySession = async (secret: string, isUse: boolean): Promise<Operator> => {
    const operator = await deps.sessions.find(secret, isUse);
    if (!operator) throw rejection('This session has ended. Sign in again.');
    return operator;
  };
  const byDevice = async (secret: string): Promise<Operator> => {
    const driver = await deps.drivers.find(secret);
    if (!driver) throw rejection("This driver's session has ended. Ask for a new link.");
    return driver;
  };
  const byIdToken = async (idToken: string): Promise<Operator> => {
    if (!deps.verifyIdToken)
      throw rejection(
        'The credential is not an operator token, and no OpenID provider is configured.',
      );
    const person = await deps.verifyIdToken(idToken);
    const { id, blocked } = await deps.people.seen(person);
    if (blocked) throw rejection('An administrator blocked this operator.');
    return { ...person, id, credential: 'oidc' };
  };

  return async (headers: IncomingHttpHeaders, address: string): Promise<Operator> => {
    const [, credential] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
    if (credential === undefined || credential.length > credentialMax)
      throw rejection(
        'The request has no valid credential. Set OPERATOR_TOKEN, or run `operator login`.',
      );
    await deps.attempts.check(address, credential);
    const kind = kindOf(credential);
    try {
      const operator = await {
        ...{ token: byToken, session: bySession, device: byDevice, oidc: byIdToken },
      }[kind](credential, headers[unattendedHeader] === undefined);
      const { carrierId } = operator.carrier ?? {};
      if (carrierId && !(await findRecord(deps.db, 'carrier', carrierId))?.active)
        throw rejection('Your carrier is not active. Ask the operator who gave you access.');
      deps.attempts.passed(credential);
      return operator;
    } catch (error) {
      if (error instanceof Failure && error.kind === 'OPERATOR_NOT_AUTHENTICATED') {
        failures.inc({ credential: kind });
        await deps.attempts.failed(address, credential);
      }
      throw error;
    }
  };
};

/** Returns the kind of a credential by its form. Any text without a known prefix may be an ID token. */
const kindOf = (credential: string): 'token' | 'session' | 'device' | 'oidc' => {
  if (looksLikeDriver(credential)) return 'device';
  if (looksLikeToken(credential)) return 'token';
  return looksLikeSession(credential) ? 'session' : 'oidc';
};
