import type { PublicReason } from '../egress/index.ts';

/** Why a handshake failed, as partners read it (decision 62). */
export type HandshakeReason = PublicReason | 'redirect' | 'status' | 'body' | 'echo';

export interface HandshakeResult {
  /** Null if the handshake passed. */
  readonly reason: HandshakeReason | null;
  /** Status of the receiver's response; absent without a response. */
  readonly statusCode?: number;
  /** The error for the log; partners never read it. */
  readonly error?: unknown;
}
