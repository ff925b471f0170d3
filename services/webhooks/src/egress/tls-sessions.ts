import type { TLSSocket } from 'node:tls';

/** Maximum age of a stored session, in ms. A resumed connection stores a session with a new age. */
const keptMs = 60 * 60 * 1000;
const keptMax = 1024;

/** TLS sessions by receiver (`host:port`). A resumed session needs no certificate verification. */
export interface TlsSessions {
  of(receiver: string): Buffer | undefined;
  /** Stores the session of a connection whose certificate was verified for this receiver. */
  keep(receiver: string, verified: TLSSocket): void;
}

/**
 * Returns a store for the last TLS session of up to 1,024 receivers. A full TLS handshake costs
 * both sides more than all else in an attempt, and a receiver that closes each connection would
 * need a full handshake for each attempt. A session is used for its host and port only, because its
 * certificate was verified for that host.
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
      // TLS 1.3 sends sessions after the handshake, earlier versions within it
      if (verified.getProtocol() === 'TLSv1.3')
        verified.on('session', (session) => add(receiver, session));
      else add(receiver, verified.getSession());
    },
  };
};
