import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { readTextFileSync } from '@pto/terminal';

/** A sign-in by OpenID Connect, stored with mode 0600. */
export interface Session {
  /**
   * URL of the operators service that the sign-in is for. The ID token is sent to no other server.
   */
  readonly operatorUrl: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly idToken: string;
  /** Absent if the provider issued none. */
  readonly refreshToken?: string | undefined;
  /** Time from which the gateway rejects the ID token; ISO 8601. */
  readonly expiresAt: string;
  readonly maxAgeSeconds: number;
}

/**
 * Returns the default path of the session file: below XDG_STATE_HOME if that is set, else below
 * `.local/state` of the home folder. The setting OPERATOR_SESSION_FILE overrides this path
 * (clients.ts).
 */
export const sessionPath = (environment: NodeJS.ProcessEnv): string =>
  join(
    environment.XDG_STATE_HOME || join(homedir(), '.local', 'state'),
    'partner-transport-orders',
    'operator-session.json',
  );

/**
 * Reads the stored session; undefined if there is none, or if the file is unreadable or malformed.
 */
export const readSession = (path: string): Session | undefined => {
  try {
    const session = JSON.parse(readTextFileSync(path)) as Session;
    return typeof session.idToken === 'string' ? session : undefined;
  } catch {
    return undefined;
  }
};

export const writeSession = (path: string, session: Session): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.${randomUUID()}`;
  writeFileSync(part, `${JSON.stringify(session, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(part, path);
};

export const removeSession = (path: string): void => rmSync(path, { force: true });
