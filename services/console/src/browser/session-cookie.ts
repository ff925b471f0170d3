import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';

/** The prefix makes browsers reject the cookie from other hosts, and without Secure and `Path=/`. */
const name = '__Host-session';
const form = /^ops_[0-9A-Za-z]{49}$/;
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** Returns the session's secret; undefined without a cookie, and for any other text in it. */
export const sessionOf = ({ headers }: IncomingMessage): string | undefined => {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [key, value = ''] = part.trim().split('=');
    if (key === name && form.test(value)) return value;
  }
  return undefined;
};

/** The cookie ends with the browser's session; the operators service ends the session itself. */
export const keepSession = (response: Response, secret: string): void => {
  response.set('Set-Cookie', `${name}=${secret}; ${attributes}`);
};

export const forgetSession = (response: Response): void => {
  response.set('Set-Cookie', `${name}=; ${attributes}; Max-Age=0`);
};
