/** Requests to this machine, which no proxy may read: the key would be readable to it. */

import { NotSentError } from '../errors.ts';

/** Hosts of this machine, as the URL parser writes them: 127.1 has become 127.0.0.1. */
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether a host name of a parsed URL is this machine. */
export const isLoopback = (hostname: string): boolean => loopback.test(hostname);

/**
 * Whether Node's `fetch` sends by a proxy: NODE_USE_ENV_PROXY is set, or the program has set a
 * dispatcher of its own. Without one, `fetch` stays in place, so that a test can replace it.
 */
export const hasProxy = (): boolean => {
  const dispatchers = globalThis as Record<symbol, { constructor?: { name?: string } } | undefined>;
  return ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].some((name) =>
    /proxy/i.test(dispatchers[Symbol.for(name)]?.constructor?.name ?? ''),
  );
};

/** Sends a request by the platform's `fetch`, and one to this machine by no proxy. */
export const platformFetch: typeof fetch = (input, init) => {
  const isDirect = hasProxy() && isLoopback(new URL(`${input}`).hostname);
  if (!isDirect) return globalThis.fetch(input, init);
  const send = directFetch();
  if (!send)
    throw new NotSentError('the proxy of this program would read the key; use Node 20.16 or newer');
  return send(input, init);
};

/**
 * Returns a function that sends as `fetch` does, with a connection of its own for each request;
 * undefined outside of Node, and before Node 20.16.
 */
export const directFetch = (): typeof fetch | undefined => {
  const builtin = globalThis.process?.getBuiltinModule;
  if (!builtin) return undefined;
  const { http, https, stream } = {
    http: builtin('node:http'),
    https: builtin('node:https'),
    stream: builtin('node:stream'),
  };
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const fail = (cause: unknown) => reject(new TypeError('fetch failed', { cause }));
      const { request } = `${input}`.startsWith('https:') ? https : http;
      const { method, headers, signal, body } = init as {
        readonly method?: string;
        readonly headers?: Record<string, string>;
        readonly signal?: AbortSignal;
        readonly body?: string;
      };
      const given = { ...(method && { method }), ...(headers && { headers }) };
      // an agent of its own knows no proxy
      const options = { ...given, ...(signal && { signal }), agent: false as const };
      const sent = request(`${input}`, options, (received) => {
        try {
          const { statusCode: status = 0, rawHeaders } = received;
          const isEmpty = status === 204 || status === 205 || status === 304;
          const content = isEmpty ? null : stream.Readable.toWeb(received);
          if (isEmpty) received.resume();
          const shown = { status, headers: pairs(rawHeaders) };
          resolve(new Response(content as ConstructorParameters<typeof Response>[0], shown));
        } catch (error) {
          received.destroy();
          fail(error);
        }
      });
      sent.once('error', fail);
      sent.end(body);
    });
};

const pairs = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, n): [string, string][] => (n % 2 === 0 ? [[name, raw[n + 1]!]] : []));
