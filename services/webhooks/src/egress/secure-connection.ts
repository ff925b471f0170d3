import { isIP, type Socket } from 'node:net';
import { connect, type SecureContext, type TLSSocket } from 'node:tls';
import { EgressError } from './egress-error.ts';
import type { TlsSessions } from './tls-sessions.ts';

/**
 * TLS over a connection that stands; resolves once the certificate is found to be the host's and
 * from a trusted authority. @param begun receives the socket at once, so that the caller can close it.
 */
export const secureConnection = (
  tcp: Socket,
  host: string,
  port: number,
  { secureContext, sessions }: { secureContext: SecureContext; sessions: TlsSessions },
  begun: (socket: TLSSocket) => void,
): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const receiver = `${host}:${port}`;
    const session = sessions.of(receiver);
    const socket = connect({
      socket: tcp,
      host,
      // an address has no server name to ask for; its certificate is checked all the same
      ...(isIP(host) === 0 && { servername: host.replace(/\.$/, '') }),
      secureContext,
      ...(session && { session }),
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
    });
    begun(socket);
    const failed = (cause: unknown) =>
      reject(new EgressError('tls', 'no trusted TLS connection', cause));
    tcp.once('error', failed);
    socket.once('error', failed);
    socket.once('close', failed);
    socket.once('secureConnect', () => {
      tcp.off('error', failed);
      socket.off('error', failed);
      socket.off('close', failed);
      sessions.keep(receiver, socket);
      resolve(socket);
    });
  });
