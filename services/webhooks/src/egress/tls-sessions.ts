import type { TLSSocket } from 'node:tls';

/** Maximum time since the verification of the certificate that a stored session is used, in ms. */
const keptMs = 60 * 60 * 1000;
const keptMax = 1024;

type Handshaken = Pick<TLSSocket, 'getProtocol' | 'getSession' | 'isSessionReused' | 'on'>;

/** TLS sessions by receiver (`host:port`). A resumed session needs no certificate verification. */
export interface TlsSessions {
  of(receiver: string): Buffer | undefined;
  /**
   * Stores the session of a connection after its handshake. If the connection resumed the offered
   * session, nothing was verified, and the new session has the old one's age.
   */
  keep(receiver: string, socket: Handshaken, offered: Buffer | undefined): void;
}

/**
 * Returns a store for the last TLS session of up to 1,024 receivers. A full TLS handshake costs
 * both sides more than all else in an attempt, and a receiver that closes each connection would
 * need a full handshake for each attempt. A session is used for its host and port only, because its
 * certificate was verified for that host.
 */
export const tlsSessions = (now: () => number = () => performance.now()): TlsSessions => {
  const kept = new Map<string, Buffer>(); // the oldest first
  const verifiedAt = new WeakMap<Buffer, number>();
  const add = (receiver: string, session: Buffer | undefined, at: number) => {
    if (!session) return;
    verifiedAt.set(session, at);
    kept.delete(receiver);
    kept.set(receiver, session);
    if (kept.size > keptMax) kept.delete(kept.keys().next().value!);
  };
  const timeOf = (session: Buffer): number => verifiedAt.get(session) ?? Number.NEGATIVE_INFINITY;
  return {
    of: (receiver) => {
      const session = kept.get(receiver);
      return session && now() - timeOf(session) < keptMs ? session : undefined;
    },
    keep: (receiver, socket, offered) => {
      const at = offered && socket.isSessionReused() ? timeOf(offered) : now();
      // TLS 1.3 sends sessions after the handshake, earlier versions within it
      if (socket.getProtocol() === 'TLSv1.3')
        socket.on('session', (session) => add(receiver, session, at));
      else add(receiver, socket.getSession(), at);
    },
  };
};
