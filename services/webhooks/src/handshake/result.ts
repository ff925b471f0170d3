import type { PublicReason } from '../egress/index.ts';

/** Why a handshake failed, as partners read it (decision 62). */
export type HandshakeReason = PublicReason | 'redirect' | 'status' | 'body' | 'echo';

export interface HandshakeResult {
  /** Null where the handshake passed. */
  readonly reason: HandshakeReason | null;
  /** The receiver's response, where there was one. */
  readonly statusCode?: number;
  /** The exact error, for the log alone. */
  readonly error?: unknown;
}
