import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';

/** What the browser keeps in a cookie until the provider sends it back. */
export interface Pending {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The prefix makes browsers reject the cookie from other hosts, and without Secure and `Path=/`. */
const name = '__Host-session';
const form = /^ops_[0-9A-Za-z]{49}$/;
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** A partner's session of the portal is a key of the partners' API (decision 69). */
const portalName = '__Host-portal';
const portalForm = /^svc_(?:live|test)_[0-9A-Za-z]{49}$/;

const pendingName = '__Host-openid';
const pendingForm = /^([\w-]{20,100})\.([\w-]{20,100})\.([\w-]{20,200})$/;
/** A person has this long at the provider. */
const pendingSeconds = 600;
/** Lax: the provider sends the browser back from another site. */
const pendingAttributes = 'Path=/; Secure; HttpOnly; SameSite=Lax';

const cookieOf = ({ headers }: IncomingMessage, wanted: string): string => {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [key, value = ''] = part.trim().split('=');
    if (key === wanted) return value;
  }
  return '';
};

/** Returns the session's secret; undefined without a cookie, and for any other text in it. */
export const sessionOf = (request: IncomingMessage): string | undefined => {
  const value = cookieOf(request, name);
  return form.test(value) ? value : undefined;
};

/** The cookie ends with the browser's session; the operators service ends the session itself. */
export const keepSession = (response: Response, secret: string): void => {
  response.append('Set-Cookie', `${name}=${secret}; ${attributes}`);
};

export const forgetSession = (response: Response): void => {
  response.append('Set-Cookie', `${name}=; ${attributes}; Max-Age=0`);
};

/** As `sessionOf`, for the portal. */
export const portalSessionOf = (request: IncomingMessage): string | undefined => {
  const value = cookieOf(request, portalName);
  return portalForm.test(value) ? value : undefined;
};

export const keepPortalSession = (response: Response, secret: string): void => {
  response.append('Set-Cookie', `${portalName}=${secret}; ${attributes}`);
};

export const forgetPortalSession = (response: Response): void => {
  response.append('Set-Cookie', `${portalName}=; ${attributes}; Max-Age=0`);
};

/** Returns what this browser began at the OpenID provider, or undefined. */
export const pendingOf = (request: IncomingMessage): Pending | undefined => {
  const [, state, nonce, verifier] = pendingForm.exec(cookieOf(request, pendingName)) ?? [];
  return state && nonce && verifier ? { state, nonce, verifier } : undefined;
};

/** Keeps what a sign-in has begun, or forgets it. */
export const keepPending = (response: Response, pending: Pending | undefined): void => {
  const value = pending ? `${pending.state}.${pending.nonce}.${pending.verifier}` : '';
  const seconds = pending ? pendingSeconds : 0;
  response.append(
    'Set-Cookie',
    `${pendingName}=${value}; ${pendingAttributes}; Max-Age=${seconds}`,
  );
};
