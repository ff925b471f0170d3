import { X509Certificate } from 'node:crypto';
import { createSecureContext, type PeerCertificate } from 'node:tls';
import { durationMs, port, type Settings, text, type Watched, watchFiles } from '@pto/config';
import { type ProcessName, processNames } from '@pto/proto/callers';
import type { Telemetry } from '@pto/telemetry';
import { authoritiesExpiry, chainExpiry, showExpiry } from './certificate-expiry.ts';

export const rpcClientSettings = {
  tlsCertFile: text('TLS_CERT_FILE'),
  tlsKeyFile: text('TLS_KEY_FILE'),
  tlsCaFile: text('TLS_CA_FILE'),
  /**
   * Domain of the names in certificates, `<process>.<domain>`. Deployments that share an authority
   * need different domains.
   */
  tlsIdentityDomain: text('TLS_IDENTITY_DOMAIN'),
  /** Interval at which the three files are read: certificates are renewed while a process runs. */
  tlsReloadMs: durationMs('TLS_RELOAD', { fallback: 10_000 }),
};

export const rpcServerSettings = {
  ...rpcClientSettings,
  host: text('BIND_HOST', { fallback: '0.0.0.0' }),
  connectPort: port('CONNECT_PORT', { fallback: 8081 }),
};

export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca: Buffer;
}

/** Mutual TLS between services. There are no internal calls without it (decision 58). */
export type TlsSettings = Omit<Settings<typeof rpcClientSettings>, 'tlsReloadMs'> & {
  readonly tlsReloadMs?: number;
};

/** The watched TLS files: their newest valid content. */
export type WatchedTls = Watched<Tls>;

/**
 * Watches the three PEM files of mutual TLS, because certificates are renewed while a process runs.
 * Incomplete or mismatched files are logged, and the previous content stays in use. A metric shows
 * when the used certificates expire. Without telemetry, in a process that ends soon, neither is
 * reported.
 * @throws ConfigError if the files are invalid at the start.
 */
export const watchTls = (settings: TlsSettings, telemetry?: Telemetry): WatchedTls => {
  const tls = watchFiles(
    [settings.tlsCertFile, settings.tlsKeyFile, settings.tlsCaFile],
    ([cert, key, ca]): Tls => {
      const read = { cert: cert!, key: key!, ca: ca! };
      createSecureContext(read);
      return read;
    },
    {
      name: 'TLS files',
      everyMs: settings.tlsReloadMs ?? 10_000,
      onInvalid: (err) =>
        telemetry?.log.warn({ err }, 'the TLS files are invalid: the previous ones are used'),
    },
  );
  if (telemetry) {
    const { metrics } = telemetry;
    // all transports of a process use the same files, so the first one exports them
    showExpiry(metrics, 'certificate', () => chainExpiry(tls.current().cert));
    showExpiry(metrics, 'authority', () => authoritiesExpiry(tls.current().ca));
  }
  return tls;
};

/**
 * Returns the DNS name in a process's certificate, `<process>.<TLS_IDENTITY_DOMAIN>` (decision 58).
 */
export const identityOf = (process: ProcessName, domain: string): string => `${process}.${domain}`;

/** The process named by a peer's verified certificate, until the certificate expires. */
export interface Peer {
  readonly process: ProcessName;
  /** When the certificate expires, in milliseconds since the epoch. */
  readonly until: number;
}

/**
 * Returns the process that a verified certificate names. OpenSSL compares the names: only subject
 * alternative names, no wildcards.
 * @returns undefined if the certificate names none of our processes, or several.
 */
export const peerOf = (
  certificate: X509Certificate | undefined,
  domain: string,
): Peer | undefined => {
  if (!certificate) return undefined;
  const named = processNames.filter(
    (process) => certificate.checkHost(identityOf(process, domain), exactly) !== undefined,
  );
  const [process] = named;
  if (process === undefined || named.length > 1) return undefined;
  return { process, until: certificate.validToDate.getTime() };
};

/**
 * Returns the verification of a server's certificate, for TLS: the certificate must name the called
 * process and no other process, as a caller's must.
 */
export const serverIdentity =
  (server: ProcessName, domain: string) =>
  (_: string, { raw }: Pick<PeerCertificate, 'raw'>): Error | undefined =>
    peerOf(new X509Certificate(raw), domain)?.process === server
      ? undefined
      : new Error(`The server's certificate must name ${identityOf(server, domain)} alone.`);

const exactly = { subject: 'never', wildcards: false, partialWildcards: false } as const;
