import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** Returns the value of a cookie; empty: none. */
export const cookieOf = ({ headers }: IncomingMessage, wanted: string): string => {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [key, value = ''] = part.trim().split('=');
    if (key === wanted) return value;
  }
  return '';
};

/**
 * A cookie with the secret of a session. The operators service ends the session itself.
 * @param name its prefix `__Host-` makes browsers reject it from other hosts, and without Secure and
 *   `Path=/`.
 * @param seconds how long it is kept; absent: it ends with the browser's session.
 */
const sessionCookie = (name: string, form: RegExp, seconds?: number) => ({
  /** Returns the session's secret; undefined without a cookie, and for any other text in it. */
  of: (request: IncomingMessage): string | undefined => {
    const value = cookieOf(request, name);
    return form.test(value) ? value : undefined;
  },
  keep: (response: Response, secret: string): void => {
    response.append(
      'Set-Cookie',
      `${name}=${secret}; ${attributes}${seconds ? `; Max-Age=${seconds}` : ''}`,
    );
  },
  forget: (response: Response): void => {
    response.append('Set-Cookie', `${name}=; ${attributes}; Max-Age=0`);
  },
});

export const operatorSession = sessionCookie('__Host-session', /^ops_[0-9A-Za-z]{49}$/);
/** A partner's session of the portal is a key of the partners' API (decision 69). */
export const portalSession = sessionCookie('__Host-portal', /^svc_(?:live|test)_[0-9A-Za-z]{49}$/);
/** A phone whose battery died in a shift goes on with its session (decision 84). */
export const driverSession = sessionCookie('__Host-driver', /^drv_[0-9A-Za-z]{49}$/, 14 * 3600);

export type SessionCookie = ReturnType<typeof sessionCookie>;
