import { NotSentError } from '../errors/transport-orders-error.ts';

/**
 * Returns the base URL without slashes at its end. `http:` is for this machine alone, unless
 * `allowInsecure` permits more.
 * @throws NotSentError for a text to which no request with a key is sent.
 */
export const checkedBaseUrl = (baseUrl: string, allowInsecure: boolean): string => {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new NotSentError('baseUrl: not a URL that begins with https:');
  if (url.username || url.password || url.search || url.hash)
    throw new NotSentError('baseUrl: expected neither user, query nor fragment');
  if (url.protocol === 'http:' && !allowInsecure && !loopback.test(url.hostname))
    throw new NotSentError(
      `baseUrl: http: would send the key readable to ${url.hostname}; use https:, or allowInsecure`,
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
};

/** Hosts of this machine, as the URL parser writes them: 127.1 has become 127.0.0.1. */
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
