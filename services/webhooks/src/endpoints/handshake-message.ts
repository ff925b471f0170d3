import type { HandshakeResult } from '../handshake/result.ts';

/** The public half of a handshake's result. */
export const handshakeMessage = ({ reason, statusCode }: HandshakeResult) => ({
  ok: reason === null,
  reason: reason ?? '',
  ...(statusCode !== undefined && { statusCode }),
});
