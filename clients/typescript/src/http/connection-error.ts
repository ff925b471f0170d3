import { ConnectionFailedError } from '../errors.ts';
import { hasProxy, isLoopback } from './direct.ts';

/** Codes of a certificate whose authority is unknown. */
const untrusted =
  /^(?:UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(?:_LOCALLY)?)|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT(?:_IN_CHAIN)?)$/;

/** Returns the error of a connection. It names the setting that can be wrong, never its value. */
export const connectionError = (url: string, cause: unknown): ConnectionFailedError =>
  new ConnectionFailedError(`the connection failed or ended early${hintOf(url, cause)}`, { cause });

const hintOf = (url: string, cause: unknown): string => {
  const reason = (cause as Error | undefined)?.cause as NodeJS.ErrnoException | undefined;
  if (untrusted.test(reason?.code ?? ''))
    return ': the authority of the certificate is unknown; NODE_EXTRA_CA_CERTS names a file with it';
  if (reason?.message === 'bad port') return ': fetch sends nothing to this port';
  if (!hasProxy() || isLoopback(new URL(url).hostname)) return '';
  return `; check ${url.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY'} and NO_PROXY`;
};
