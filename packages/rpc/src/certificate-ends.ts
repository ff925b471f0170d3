import { X509Certificate } from 'node:crypto';
import { Gauge, type Metrics } from '@pto/telemetry';

/** What a process uses now, PEM. */
type Used = () => { readonly cert: Buffer; readonly ca: Buffer };

/** One gauge for all wires of a registry. */
const gauges = new WeakMap<Metrics, Set<Used>>();

/** Shows, for as long as the process runs, when what it uses ends. */
export const showEnds = (registry: Metrics, used: Used): void => {
  const known = gauges.get(registry) ?? create(registry);
  gauges.set(registry, known.add(used));
};

const create = (registry: Metrics): Set<Used> => {
  const observed = new Set<Used>();
  new Gauge({
    name: 'tls_certificate_expires_seconds',
    help: 'When the certificate on the internal wires ends, and the authority; since the epoch',
    labelNames: ['file'],
    registers: [registry],
    collect() {
      this.reset();
      const all = [...observed].map((used) => used());
      // a chain holds until its first link ends, a list of authorities until its last one
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

/** Of each certificate in a PEM file, in seconds since the epoch. */
const ends = (file: Buffer): number[] =>
  (file.toString('latin1').match(pems) ?? []).flatMap((pem) => {
    try {
      return [new X509Certificate(pem).validToDate.getTime() / 1000];
    } catch {
      return []; // OpenSSL passes over what it cannot read
    }
  });
