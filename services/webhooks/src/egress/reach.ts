import { connect, type Socket } from 'node:net';
import { rejectBad } from './addresses/judge-address.ts';
import type { LookedUp } from './addresses/looked-up.ts';
import type { EgressPolicy } from './addresses/policy.ts';
import { EgressError } from './egress-error.ts';

/**
 * A TCP connection to one of the judged addresses; whichever family answers first, the address that
 * the socket has really reached being judged once more.
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
      // nothing is looked up a second time: a name that changes its answer gains nothing
      lookup: (_, __, done) => done(null, [...addresses]),
    });
    begun(socket);
    socket.once('error', (cause: NodeJS.ErrnoException) => {
      const refused = cause.code === 'ECONNREFUSED';
      reject(
        new EgressError(refused ? 'connection_refused' : 'connection_failed', 'not reached', cause),
      );
    });
    socket.once('connect', () => {
      try {
        // a connection that was reset at once has none any more
        if (socket.remoteAddress === undefined)
          throw new EgressError('connection_failed', 'reset at once');
        rejectBad(socket.remoteAddress, port, policy);
        socket.removeAllListeners('error');
        resolve(socket);
      } catch (error) {
        socket.destroy();
        reject(error);
      }
    });
  });
