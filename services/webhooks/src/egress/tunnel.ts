import { once } from 'node:events';
import { request } from 'node:http';
import { connect, isIPv6, type Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { hostOf } from './address-policy.ts';
import { EgressError } from './egress-error.ts';
import type { LookedUp } from './resolve-host.ts';

/** Statuses with which a proxy reports that it could not connect to the receiver. */
const notReached: readonly number[] = [502, 503, 504];
const malformed = 'malformed response to CONNECT from the proxy';
const addressesMax = 3;

/**
 * Opens a connection to a receiver through the proxy: to the first of three judged addresses that
 * the proxy reaches. The proxy receives the address and never the name, so that it cannot resolve
 * the name to another address. Errors contain only the status of the proxy's response, because
 * other parts of the response may repeat the credentials.
 * @param waiting receives true before connecting to the proxy, and false after the TCP connection
 *   to the proxy is open.
 * @param signal destroys the sockets.
 * @throws EgressError `proxy`, or `connection_failed` if the proxy reaches no address.
 */
export const openTunnel = async (
  proxy: EgressProxy,
  port: number,
  addresses: readonly LookedUp[],
  waiting: (isForProxy: boolean) => void,
  signal: AbortSignal,
): Promise<Socket> => {
  for (const { address } of addresses.slice(0, addressesMax)) {
    waiting(true);
    const socket = connect({ host: proxy.host, port: proxy.port, noDelay: true, keepAlive: true });
    await connected(socket, signal, (cause) => failed('the connection to the proxy failed', cause));
    waiting(false);
    const target = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
    if (await isConnected(socket, target, proxy.authorization)) return socket;
  }
  throw new EgressError('connection_failed', 'the proxy could not connect to the receiver');
};

/**
 * Waits until a socket is connected.
 * @param signal destroys the socket, also later.
 * @param failure returns the error for a failed connection.
 */
export const connected = async (
  socket: Socket,
  signal: AbortSignal,
  failure: (cause: NodeJS.ErrnoException) => EgressError,
): Promise<void> => {
  // an error between two waits must not end the process; the next wait finds the socket destroyed
  socket.on('error', () => {});
  await once(addAbortSignal(signal, socket), 'connect').catch((cause) => {
    throw failure(cause);
  });
};

/**
 * Sends CONNECT. Resolves with true when the proxy has connected to the target, with false if the
 * proxy could not connect.
 * @throws EgressError `proxy` for any other response.
 */
const isConnected = (
  socket: Socket,
  target: string,
  authorization: string | undefined,
): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      socket.destroy();
      reject(error);
    };
    const connecting = request({
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...(authorization && { 'proxy-authorization': authorization }) },
      createConnection: () => socket,
    });
    connecting.once('error', (cause) => fail(failed(malformed, cause)));
    // Node emits 'connect' for a response with any status
    connecting.once('connect', ({ statusCode = 0 }, _, ahead: Buffer) => {
      if (statusCode >= 200 && statusCode <= 299) {
        // in TLS the client sends first, so the receiver did not send these bytes
        if (ahead.length > 0) fail(failed('the proxy sent data before the TLS handshake'));
        else resolve(true);
        return;
      }
      socket.destroy();
      if (notReached.includes(statusCode)) resolve(false);
      else fail(failed(`the proxy responded to CONNECT with status ${statusCode}`));
    });
    connecting.end();
  });

/**
 * Returns a `proxy` error with the code of the cause. It leaves out the cause's message, which may
 * repeat bytes that the proxy sent.
 */
const failed = (message: string, cause?: NodeJS.ErrnoException): EgressError =>
  new EgressError('proxy', `${message}${cause?.code ? ` (${cause.code})` : ''}`);

/** The HTTP proxy (WEBHOOKS_EGRESS_PROXY) of all connections to webhook endpoints. */
export interface EgressProxy {
  readonly host: string;
  readonly port: number;
  /** The value of the `Proxy-Authorization` header; undefined without credentials. */
  readonly authorization: string | undefined;
}

/**
 * Parses WEBHOOKS_EGRESS_PROXY: `http://[user:password@]host:port`, with special characters
 * percent-encoded; port 80 by default.
 * @throws Error with the expected form, without the value.
 */
export const parseProxy = (text: string): EgressProxy => {
  const fault = new Error('expected http://[user:password@]host:port');
  if (!/^http:\/\/[^/?#\\\s]+\/?$/i.test(text) || !URL.canParse(text)) throw fault;
  const url = new URL(text);
  const port = url.port === '' ? 80 : Number(url.port);
  if (port === 0) throw fault;
  if (url.username === '' && url.password === '')
    return { host: hostOf(url), port, authorization: undefined };
  try {
    const [user = '', password = ''] = [url.username, url.password].map(decodeURIComponent);
    // a user name with a colon would be ambiguous in `user:password` (RFC 7617)
    if (user.includes(':')) throw fault;
    const credentials = Buffer.from(`${user}:${password}`).toString('base64');
    return { host: hostOf(url), port, authorization: `Basic ${credentials}` };
  } catch {
    throw fault; // its percent-encoding is malformed
  }
};
