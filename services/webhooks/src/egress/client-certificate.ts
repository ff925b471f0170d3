import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { ConfigError, type Watched, watchFiles } from '@pto/config';
import { chainExpiry, showExpiry } from '@pto/rpc';
import type { Telemetry } from '@pto/telemetry';

/** The certificate that webhooks presents to receivers, with its private key, in PEM. */
export interface ClientCertificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** The extended key usage "TLS client" (RFC 5280, 4.2.1.12). */
const clientAuthentication = '1.3.6.1.5.5.7.3.2';

/**
 * Watches the files of the client certificate, because it is renewed while the process runs. Files
 * that are invalid or do not match are logged, and the previous ones stay in use. The metric
 * `tls_certificate_expires_seconds{file="client_certificate"}` shows the expiry.
 * @returns undefined if neither file is set: receivers that require a certificate are then not
 *   reached.
 * @throws ConfigError if only one file is set, or if the files are invalid at the start.
 */
export const watchClientCertificate = (
  settings: {
    readonly clientCertFile: string;
    readonly clientKeyFile: string;
    readonly tlsReloadMs: number;
  },
  { log, metrics }: Pick<Telemetry, 'log' | 'metrics'>,
): Watched<ClientCertificate> | undefined => {
  const files = [settings.clientCertFile, settings.clientKeyFile];
  if (files.every((file) => file === '')) return undefined;
  if (files.includes(''))
    throw new ConfigError([
      'WEBHOOKS_CLIENT_CERT_FILE and WEBHOOKS_CLIENT_KEY_FILE: set both or none',
    ]);
  const watched = watchFiles(files, ([cert, key]) => checked({ cert: cert!, key: key! }), {
    name: 'WEBHOOKS_CLIENT_CERT_FILE, WEBHOOKS_CLIENT_KEY_FILE',
    everyMs: settings.tlsReloadMs,
    onInvalid: (err) =>
      log.warn({ err }, 'the client certificate’s files are invalid: the previous ones are used'),
  });
  showExpiry(metrics, 'client_certificate', () => chainExpiry(watched.current().cert));
  return watched;
};

/** @throws Error if OpenSSL rejects the pair, or if the certificate is not for TLS clients. */
const checked = (pair: ClientCertificate): ClientCertificate => {
  createSecureContext(pair);
  // a certificate without extended key usages is for all purposes
  const usages = new X509Certificate(pair.cert).keyUsage as readonly string[] | undefined;
  if (usages && !usages.includes(clientAuthentication))
    throw new Error('the certificate is not for TLS clients (extended key usage clientAuth)');
  return pair;
};
