import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { cookieOf } from './session-cookie.ts';

/** What the browser keeps in a cookie until the provider sends it back. */
export interface Pending {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

const name = '__Host-openid';
const form = /^(([\w-]{20,100})\.([\w-]{20,100})\.([\w-]{20,200})\.(\d{1,12}))\.([\w-]{43})$/;
/** A person has this long at the provider. */
const pendingSeconds = 600;
/** Clocks of replicas may differ by so much. */
const clocksDifferSeconds = 60;
/** Lax: the provider sends the browser back from another site. */
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/**
 * A cookie with what a sign-in has begun. It is authenticated and ends, so that the console sends
 * nothing to the provider for a cookie that no console made.
 * @param given the key of all replicas, 32 bytes; empty: a key of this process alone.
 */
export const pendingCookie = (given: Buffer) => {
  const key = given.length > 0 ? given : randomBytes(32);
  const seconds = () => Math.floor(Date.now() / 1000);
  const codeOf = (value: string) => createHmac('sha256', key).update(`openid/1 ${value}`).digest();
  const set = (response: Response, value: string, maxAge: number): void => {
    response.append('Set-Cookie', `${name}=${value}; ${attributes}; Max-Age=${maxAge}`);
  };
  return {
    /** Returns what this browser began at the provider less than 10 min ago; undefined: nothing. */
    of: (request: IncomingMessage): Pending | undefined => {
      const [, value, state, nonce, verifier, at, code] = form.exec(cookieOf(request, name)) ?? [];
      if (!value || !state || !nonce || !verifier || !code) return undefined;
      if (!timingSafeEqual(codeOf(value), Buffer.from(code, 'base64url'))) return undefined;
      const age = seconds() - Number(at);
      const isFresh = age <= pendingSeconds + clocksDifferSeconds && age >= -clocksDifferSeconds;
      return isFresh ? { state, nonce, verifier } : undefined;
    },
    keep: (response: Response, { state, nonce, verifier }: Pending): void => {
      const value = `${state}.${nonce}.${verifier}.${seconds()}`;
      set(response, `${value}.${codeOf(value).toString('base64url')}`, pendingSeconds);
    },
    forget: (response: Response): void => set(response, '', 0),
  };
};

export type PendingCookie = ReturnType<typeof pendingCookie>;
