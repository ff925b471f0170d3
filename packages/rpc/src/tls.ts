import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type PeerCertificate } from 'node:tls';
import { ConfigError, durationMs, port, type Settings, text } from '@pto/config';
import { type ProcessName, processNames } from '@pto/proto/callers';
import { Gauge, type Metrics, type Telemetry } from '@pto/telemetry';

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
export interface WatchedTls {
  current(): Tls;
  /** Calls the listener after each change. @returns a function that removes the listener. */
  onChange(listener: (tls: Tls) => void): () => void;
}

/**
 * Watches the three PEM files of mutual TLS, because certificates are renewed while a process runs.
 * Incomplete or mismatched files are logged, and the previous content stays in use. A metric shows
 * when the used certificates expire. Without telemetry, in a process that ends soon, neither is
 * reported.
 * @throws ConfigError if the files are invalid at the start.
 */
export const watchTls = (settings: TlsSettings, telemetry?: Telemetry): WatchedTls => {
  const files = [settings.tlsCertFile, settings.tlsKeyFile, settings.tlsCaFile];
  let current = read(files, (error) => {
    throw new ConfigError([`TLS files: ${error.message}`]);
  });
  const listeners = new Set<(tls: Tls) => void>();
  const look = () => {
    const next = read(files, (error) => {
      telemetry?.log.warn({ err: error }, 'the TLS files are invalid: the previous ones are used');
      return current;
    });
    if (same(next, current)) return;
    current = next;
    for (const listener of listeners) listener(current);
  };
  setInterval(look, settings.tlsReloadMs ?? 10_000).unref();
  if (telemetry) showEnds(telemetry.metrics, () => current);
  return {
    current: () => current,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

const read = (files: readonly string[], refuse: (error: Error) => Tls): Tls => {
  try {
    const [cert, key, ca] = files.map((file) => readFileSync(file));
    const tls = { cert: cert!, key: key!, ca: ca! };
    createSecureContext(tls);
    return tls;
  } catch (error) {
    return refuse(error as Error);
  }
};

const same = (a: Tls, b: Tls): boolean =>
  a.cert.equals(b.cert) && a.key.equals(b.key) && a.ca.equals(b.ca);

const endsMetric = 'tls_certificate_expires_seconds';

/**
 * Exports when the certificate and the authority that are in use expire. All transports of a
 * process use the same files, so the first one exports them.
 */
const showEnds = (registry: Metrics, used: () => Tls): void => {
  if (registry.getSingleMetric(endsMetric)) return;
  new Gauge({
    name: endsMetric,
    help: 'End of the internal TLS certificate and of its authority, in seconds since the epoch',
    labelNames: ['file'],
    registers: [registry],
    collect() {
      const { cert, ca } = used();
      // a certificate chain is valid until its first member expires, a list of authorities until
      // its last
      this.set({ file: 'certificate' }, Math.min(...ends(cert)));
      this.set({ file: 'authority' }, Math.max(...ends(ca)));
    },
  });
};

const pems = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Returns the expiry of each certificate in a PEM file, in seconds since the epoch. */
const ends = (file: Buffer): number[] =>
  (file.toString('latin1').match(pems) ?? []).flatMap((pem) => {
    try {
      return [new X509Certificate(pem).validToDate.getTime() / 1000];
    } catch {
      return []; // OpenSSL ignores certificates that it cannot parse
    }
  });

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
