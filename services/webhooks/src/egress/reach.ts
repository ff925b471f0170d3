import { connect, type Socket } from 'node:net';
import { type EgressPolicy, rejectBad } from './address-policy.ts';
import { EgressError } from './egress-error.ts';
import type { LookedUp } from './resolve-host.ts';

/**
 * Opens a TCP connection to the first of the judged addresses, IPv4 or IPv6, that accepts a
 * connection. Judges the address that the socket reached again.
 * @param begun receives the socket before it is connected, so that the caller can close it.
 * @throws EgressError `connection_refused`, `connection_failed` or `egress_refused`.
 */
export const reach = (
  policy: EgressPolicy,
  host: string,
  port: number,
  addresses: readonly LookedUp[],
  begun: (socket: Socket) => void,
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      noDelay: true,
      keepAlive: true,
      autoSelectFamily: true,
      // no second DNS lookup: it could return addresses that were not judged
      lookup: (_, __, done) => done(null, [...addresses]),
    });
    begun(socket);
    socket.once('error', (cause: NodeJS.ErrnoException) => {
      const refused = cause.code === 'ECONNREFUSED';
      reject(
        new EgressError(
          refused ? 'connection_refused' : 'connection_failed',
          'the connection failed',
          cause,
        ),
      );
    });
    socket.once('connect', () => {
      try {
        // a socket that was reset after connecting has no remote address
        if (socket.remoteAddress === undefined)
          throw new EgressError('connection_failed', 'the connection was reset after connecting');
        rejectBad(socket.remoteAddress, port, policy);
        socket.removeAllListeners('error');
        resolve(socket);
      } catch (error) {
        socket.destroy();
        reject(error);
      }
    });
  });
