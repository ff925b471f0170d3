import { EgressError } from '../egress-error.ts';

/** Codes of a connection that ended too early; other codes of undici mean a malformed response. */
const lost = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_CLOSED']);

export const classified = (error: unknown): EgressError => {
  if (error instanceof EgressError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return lost.has(code) || code === 'UND_ERR_DESTROYED'
    ? new EgressError(
        'connection_lost',
        'the connection ended before the response was complete',
        error,
      )
    : new EgressError('protocol', 'malformed HTTP response', error);
};
