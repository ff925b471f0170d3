import { X509Certificate } from 'node:crypto';
import { parseInstantMs } from '@pto/config';

/** A client certificate that receivers must accept. */
export interface ClientCertificate {
  readonly certificate: X509Certificate;
  /** From when webhooks presents it, YYYY-MM-DDTHH:mm:ss.sssZ; null if the file does not say it. */
  readonly inUseFrom: string | null;
}

const certificatesMax = 10;
/** A certificate in PEM, after the explanatory text that may stand before it (RFC 7468, 5.2). */
const withText = /([\s\S]*?)(-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----)/g;
const inUseFrom = /^In-use-from:[ \t]*(\S+)[ \t]*$/im;

/**
 * Parses CONNECTIVITY_CERTIFICATES_FILE: 1 to 10 client certificates in PEM, without keys and
 * authorities. A line `In-use-from: 2027-01-15T08:00:00Z` before a certificate says from when it is
 * presented.
 * @throws Error that repeats nothing of the file.
 */
export const parseAnnouncedCertificates = (file: Buffer): readonly ClientCertificate[] => {
  const text = file.toString('latin1');
  const kinds = [...text.matchAll(/-----BEGIN ([^-\r\n]*)-----/g)].map(([, kind]) => kind);
  if (kinds.some((kind) => /KEY/i.test(kind!)))
    throw new Error('contains a private or public key: put only certificates into it');
  const found = [...text.matchAll(withText)];
  if (found.length === 0 || found.length !== kinds.length || found.length > certificatesMax)
    throw new Error(`expected 1 to ${certificatesMax} certificates in PEM and nothing else`);
  return found.map(([, before = '', pem = ''], n) => {
    const certificate = certificateOf(pem, n);
    if (certificate.ca)
      throw new Error(`certificate ${n + 1} is an authority's: list client certificates`);
    const from = inUseFrom.exec(before)?.[1];
    return { certificate, inUseFrom: from === undefined ? null : instant(from, n) };
  });
};

const certificateOf = (pem: string, n: number): X509Certificate => {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new Error(`certificate ${n + 1} cannot be parsed`);
  }
};

const instant = (text: string, n: number): string => {
  try {
    return new Date(parseInstantMs(text)).toISOString();
  } catch {
    throw new Error(
      `certificate ${n + 1}: In-use-from must be a time such as 2027-01-15T08:00:00Z`,
    );
  }
};
