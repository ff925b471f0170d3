import type { TLSSocket } from 'node:tls';

/** A certificate that has ended meanwhile is believed for no longer than this. */
const keptMs = 60 * 60 * 1000;
const keptMax = 1024;

/** What lets the next connection to a receiver begin without showing its certificate again. */
export interface TlsSessions {
  of(receiver: string): Buffer | undefined;
  /** Keeps what the receiver hands out on a connection that was found to be his, and on no other. */
  keep(receiver: string, verified: TLSSocket): void;
}

/**
 * A full handshake costs both sides more than everything else in an attempt, and a receiver that
 * ends each connection would have us make one for each. A session is of one host and port, so what
 * it vouches for is the certificate that was checked against that host.
 */
export const tlsSessions = (): TlsSessions => {
  const kept = new Map<string, { session: Buffer; at: number }>(); // the oldest first
  const add = (receiver: string, session: Buffer | undefined) => {
    if (!session) return;
    kept.delete(receiver);
    kept.set(receiver, { session, at: performance.now() });
    if (kept.size > keptMax) kept.delete(kept.keys().next().value!);
  };
  return {
    of: (receiver) => {
      const found = kept.get(receiver);
      return found && performance.now() - found.at < keptMs ? found.session : undefined;
    },
    keep: (receiver, verified) => {
      // by TLS 1.3 it comes behind the handshake, before that within it
      if (verified.getProtocol() === 'TLSv1.3')
        verified.on('session', (session) => add(receiver, session));
      else add(receiver, verified.getSession());
    },
  };
};
