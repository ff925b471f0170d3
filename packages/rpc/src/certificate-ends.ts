import { X509Certificate } from 'node:crypto';
import { Gauge, type Metrics } from '@pto/telemetry';

/** Returns the content of the PEM files that a process uses now. */
type Used = () => { readonly cert: Buffer; readonly ca: Buffer };

/**
 * The files whose expiry each registry's gauge shows. All transports of a registry share one gauge.
 */
const gauges = new WeakMap<Metrics, Set<Used>>();

/**
 * Exports when the certificate and the authority that are in use expire, as long as the process
 * runs.
 */
export const showEnds = (registry: Metrics, used: Used): void => {
  const known = gauges.get(registry) ?? create(registry);
  gauges.set(registry, known.add(used));
};

const create = (registry: Metrics): Set<Used> => {
  const observed = new Set<Used>();
  new Gauge({
    name: 'tls_certificate_expires_seconds',
    help: 'End of the internal TLS certificate and of its authority, in seconds since the epoch',
    labelNames: ['file'],
    registers: [registry],
    collect() {
      this.reset();
      const all = [...observed].map((used) => used());
      // a certificate chain is valid until its first member expires, a list of authorities until
      // its last
      const certificate = all.map(({ cert }) => Math.min(...ends(cert)));
      const authority = all.map(({ ca }) => Math.max(...ends(ca)));
      for (const [file, found] of Object.entries({ certificate, authority })) {
        const first = Math.min(...found);
        if (Number.isFinite(first)) this.set({ file }, first);
      }
    },
  });
  return observed;
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
