import { request } from 'node:http';
import { connect as connectTcp, isIPv6, type Socket } from 'node:net';
import type { LookedUp } from './addresses/looked-up.ts';
import { EgressError } from './egress-error.ts';
import type { EgressProxy } from './proxy.ts';

/** A proxy that says so has asked for the receiver, and not got there. */
const notReached: readonly number[] = [502, 503, 504];
const addressesMax = 3;

/**
 * Opens a connection to one of the checked addresses through the proxy. The proxy receives the
 * address and never the name, so that it cannot resolve another one. Its response is used for its
 * status only and stays out of errors, since it may repeat the proxy's credentials.
 * @param begun receives each socket at once, so that the caller can close it.
 * @param waiting receives true while the proxy is waited for, false while the receiver is.
 */
export const openTunnel = async (
  proxy: EgressProxy,
  port: number,
  addresses: readonly LookedUp[],
  { begun, waiting }: Told,
): Promise<Socket> => {
  for (const { address } of addresses.slice(0, addressesMax)) {
    waiting(true);
    const socket = await reachProxy(proxy, begun);
    waiting(false);
    const target = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
    if (await isConnected(socket, target, proxy.authorization)) return socket;
  }
  throw new EgressError('connection_failed', 'not reached by the proxy');
};

interface Told {
  readonly begun: (socket: Socket) => void;
  readonly waiting: (isForProxy: boolean) => void;
}

const reachProxy = (proxy: EgressProxy, begun: (socket: Socket) => void): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { host, port } = proxy;
    const socket = connectTcp({ host, port, noDelay: true, keepAlive: true });
    begun(socket);
    socket.once('error', (cause) => reject(failed('is not reached', cause)));
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });

/** @returns false where the proxy does not reach the target. */
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
    connecting.once('error', (cause) => fail(failed('did not answer properly', cause)));
    // any other status: node tells a CONNECT's answer by this event whatever it is
    connecting.once('connect', ({ statusCode = 0 }, _, ahead: Buffer) => {
      if (statusCode >= 200 && statusCode <= 299) {
        // nobody speaks before us in TLS: these bytes are the proxy's own
        if (ahead.length > 0) fail(failed('sent more than its consent'));
        else resolve(true);
        return;
      }
      socket.destroy();
      if (notReached.includes(statusCode)) resolve(false);
      else fail(failed(`answered ${statusCode}`));
    });
    connecting.end();
  });

/** Of the cause no more than its code: its words and bytes may be the proxy's. */
const failed = (what: string, cause?: NodeJS.ErrnoException): EgressError =>
  new EgressError('proxy', `the proxy ${what}${cause?.code ? ` (${cause.code})` : ''}`);
