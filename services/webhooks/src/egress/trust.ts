import { readFileSync } from 'node:fs';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { ConfigError } from '@pto/config';

/**
 * Whom receivers' certificates may come from: the system's authorities, and those of a file
 * (WEBHOOKS_CA_FILE) where one is named. Made once: parsing them takes longer than a handshake.
 */
export const trust = (caFile: string): SecureContext => {
  try {
    const own = caFile === '' ? [] : [readFileSync(caFile, 'utf8')];
    return createSecureContext({ ca: [...getCACertificates('default'), ...own] });
  } catch (error) {
    throw new ConfigError([`WEBHOOKS_CA_FILE: ${(error as Error).message}`]);
  }
};
