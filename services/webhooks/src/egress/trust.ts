import { readFileSync } from 'node:fs';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { ConfigError } from '@pto/config';

/**
 * Returns a TLS context with the authorities that may issue receivers' certificates: those that
 * Node trusts by default, and those of a file (WEBHOOKS_CA_FILE). Callers should call it only one
 * time per process, because parsing the certificates takes longer than a TLS handshake.
 * @param caFile a path; empty: no file.
 * @throws ConfigError if the file cannot be read or parsed.
 */
export const trust = (caFile: string): SecureContext => {
  try {
    const own = caFile === '' ? [] : [readFileSync(caFile, 'utf8')];
    return createSecureContext({ ca: [...getCACertificates('default'), ...own] });
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError([
      `WEBHOOKS_CA_FILE: cannot read ${caFile} as PEM certificates: ${message}`,
    ]);
  }
};
