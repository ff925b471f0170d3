import { isIP, type Socket } from 'node:net';
import { connect, type SecureContext, type TLSSocket } from 'node:tls';
import { EgressError } from './egress-error.ts';
import type { TlsSessions } from './tls-sessions.ts';

/**
 * Opens TLS over a TCP connection. Resolves when the certificate is verified: it matches the host
 * and a trusted authority issued it. For a resumed session (tls-sessions.ts) the certificate was
 * verified earlier.
 * @param begun receives the TLS socket before the handshake, so that the caller can close it.
 * @throws EgressError `tls`.
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
      // no SNI for an IP address; its certificate is still verified
      ...(isIP(host) === 0 && { servername: host.replace(/\.$/, '') }),
      secureContext,
      ...(session && { session }),
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
    });
    begun(socket);
    const failed = (cause: unknown) =>
      reject(new EgressError('tls', 'the TLS handshake with the receiver failed', cause));
    tcp.once('error', failed);
    socket.once('error', failed);
    socket.once('close', failed);
    socket.once('secureConnect', () => {
      tcp.off('error', failed);
      socket.off('error', failed);
      socket.off('close', failed);
      sessions.keep(receiver, socket, session);
      resolve(socket);
    });
  });
