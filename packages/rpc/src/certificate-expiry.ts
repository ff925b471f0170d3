import { X509Certificate } from 'node:crypto';
import { Gauge, type Metrics } from '@pto/telemetry';

const name = 'tls_certificate_expires_seconds';
const shown = new WeakMap<Metrics, Map<string, () => number>>();

/**
 * Exports when a TLS file that is in use expires. A second source for the same label is ignored.
 * @param file the label: `certificate`, `authority` or `client_certificate`.
 * @param expiry returns seconds since the epoch.
 */
export const showExpiry = (registry: Metrics, file: string, expiry: () => number): void => {
  const files = shown.get(registry) ?? new Map<string, () => number>();
  if (!files.has(file)) files.set(file, expiry);
  if (shown.has(registry)) return;
  shown.set(registry, files);
  new Gauge({
    name,
    help: 'End of a TLS certificate or of its authority, in seconds since the epoch',
    labelNames: ['file'],
    registers: [registry],
    collect() {
      for (const [label, value] of files) this.set({ file: label }, value());
    },
  });
};

/** Returns the expiry of a certificate's PEM file: a chain is valid until its first member expires. */
export const chainExpiry = (file: Buffer): number => Math.min(...ends(file));

/** Returns the expiry of the last authority in a PEM file. */
export const authoritiesExpiry = (file: Buffer): number => Math.max(...ends(file));

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
