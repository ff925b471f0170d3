import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@pto/errors';
import { readSession, type Session, writeSession } from './session-file.ts';

/**
 * Returns a function that returns the bearer credential of a call: OPERATOR_TOKEN, else the
 * session's ID token, which is renewed when it expires in less than a minute. The function throws
 * Failure OPERATOR_NOT_AUTHENTICATED if there is no session for this gateway or the session has
 * ended, and SERVICE_UNAVAILABLE if the OpenID provider does not respond.
 */
export const credentialOf =
  ({
    token,
    sessionFile,
    operatorUrl,
  }: Readonly<Record<'token' | 'sessionFile' | 'operatorUrl', string>>) =>
  async (): Promise<string> => {
    if (token !== '') return token;
    const session = sessionFor(operatorUrl, sessionFile);
    // The OpenID client loads slowly, so it is loaded for a session only, not for OPERATOR_TOKEN.
    const { isFresh, refresh } = await import('./provider.ts');
    if (isFresh(session)) return session.idToken;
    return withSessionLock(sessionFile, async () => {
      const current = sessionFor(operatorUrl, sessionFile);
      if (isFresh(current)) return current.idToken; // another command has renewed the session
      const renewed = await refresh(current);
      writeSession(sessionFile, renewed);
      return renewed.idToken;
    });
  };

const sessionFor = (operatorUrl: string, sessionFile: string): Session => {
  const session = readSession(sessionFile);
  const message = !session
    ? 'Not signed in.'
    : session.operatorUrl !== operatorUrl.replace(/\/+$/, '')
      ? `The sign-in is for ${session.operatorUrl}.`
      : undefined;
  if (session && !message) return session;
  throw new Failure(
    'OPERATOR_NOT_AUTHENTICATED',
    `${message} Run \`operator login\`, or set OPERATOR_TOKEN to a personal token.`,
  );
};

const waitMaxMs = 20_000;
/** Longer than a refresh takes: an older lock was left by a process that was killed. */
const abandonedAfterMs = 30_000;
const pollMs = 50;

/**
 * Runs work while no other command refreshes the same session, because providers may accept a
 * refresh token only once.
 * @throws Error if another command has the lock for 20 s.
 */
const withSessionLock = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  const lock = `${path}.lock`;
  const deadline = performance.now() + waitMaxMs;
  while (!acquire(lock)) {
    if (performance.now() > deadline)
      throw new Error(`${lock}: another command has this lock. If none runs, delete the file`);
    await sleep(pollMs);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
};

const acquire = (lock: string): boolean => {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  try {
    if (Date.now() - statSync(lock).mtimeMs > abandonedAfterMs) rmSync(lock, { force: true });
  } catch {
    // the other command has removed the lock meanwhile
  }
  return false;
};
