import type { HandshakeResult } from '../handshake/result.ts';

/** Returns the part of a handshake's result that partners read. */
export const handshakeMessage = ({ reason, statusCode }: HandshakeResult) => ({
  ok: reason === null,
  reason: reason ?? '',
  ...(statusCode !== undefined && { statusCode }),
});
