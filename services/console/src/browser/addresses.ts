import type { IncomingMessage } from 'node:http';

/**
 * Returns the value of `X-Forwarded-For` for a forwarded request, as every proxy makes it: the
 * receiver knows which of these addresses it trusts.
 */
export const addressesOf = ({ socket, headers }: IncomingMessage): string =>
  [headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean).join(', ');
