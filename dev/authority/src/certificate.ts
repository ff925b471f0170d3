import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import {
  bitString,
  boolean,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  utcTime,
  utf8String,
} from './der.ts';

export interface CertificateRequest {
  /** Common name of the subject. */
  readonly subject: string;
  /** Public key of a P-256 pair. */
  readonly publicKey: KeyObject;
  /**
   * Name and key pair of the authority that signs the certificate. An authority signs its own
   * certificate with its own key pair.
   */
  readonly issuer: {
    readonly name: string;
    readonly publicKey: KeyObject;
    readonly privateKey: KeyObject;
  };
  readonly days: number;
  /**
   * The purpose: an authority's own certificate, or a certificate for servers and clients with
   * these DNS names and IPv4 addresses.
   */
  readonly use: 'authority' | readonly string[];
}

const dayMs = 86_400_000;
const ecdsaWithSha256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));

/**
 * Issues an X.509 certificate (RFC 5280), signed with ECDSA on P-256 and SHA-256. This module
 * encodes the certificate itself, because Node can only read certificates, and a library that
 * issues certificates would add a dozen dependencies.
 * @returns PEM
 */
export const issueCertificate = (request: CertificateRequest): string => {
  const now = Date.now();
  const toBeSigned = sequence(
    explicit(0, integer(Buffer.from([2]))), // version 3
    integer(randomBytes(16)),
    ecdsaWithSha256,
    distinguishedName(request.issuer.name),
    // valid from yesterday, because clocks differ
    sequence(utcTime(new Date(now - dayMs)), utcTime(new Date(now + request.days * dayMs))),
    distinguishedName(request.subject),
    publicKeyInfo(request.publicKey),
    explicit(3, sequence(...extensions(request))),
  );
  const signature = sign('sha256', toBeSigned, request.issuer.privateKey);
  const certificate = sequence(toBeSigned, ecdsaWithSha256, bitString(signature));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
};

const distinguishedName = (commonName: string): Buffer =>
  sequence(set(sequence(objectIdentifier('2.5.4.3'), utf8String(commonName))));

const publicKeyInfo = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });

const extensions = ({ use, publicKey, issuer }: CertificateRequest): Buffer[] => {
  const identifiers = [
    extension('2.5.29.14', false, octetString(keyIdentifier(publicKey))),
    extension('2.5.29.35', false, sequence(implicit(0, keyIdentifier(issuer.publicKey)))),
  ];
  if (use === 'authority') {
    return [
      extension('2.5.29.19', true, sequence(boolean(true), integer(Buffer.from([0])))),
      extension('2.5.29.15', true, bitString(Buffer.from([0b0000_0110]), 1)), // key usage: sign certificates
      ...identifiers,
    ];
  }
  return [
    extension('2.5.29.19', true, sequence()),
    extension('2.5.29.15', true, bitString(Buffer.from([0b1000_0000]), 7)), // key usage: sign handshakes
    extension('2.5.29.37', false, sequence(ofServers, ofClients)),
    extension('2.5.29.17', false, sequence(...use.map(alternativeName))),
    ...identifiers,
  ];
};

const ofServers = objectIdentifier('1.3.6.1.5.5.7.3.1');
const ofClients = objectIdentifier('1.3.6.1.5.5.7.3.2');

const extension = (id: string, critical: boolean, value: Buffer): Buffer =>
  sequence(objectIdentifier(id), ...(critical ? [boolean(true)] : []), octetString(value));

const alternativeName = (name: string): Buffer =>
  isIPv4(name)
    ? implicit(7, Buffer.from(name.split('.').map(Number)))
    : implicit(2, Buffer.from(name, 'latin1'));

/**
 * Returns the first 20 bytes of SHA-256 of the uncompressed point, which is the last 65 bytes of
 * the public key's encoding on P-256.
 */
const keyIdentifier = (key: KeyObject): Buffer =>
  createHash('sha256').update(publicKeyInfo(key).subarray(-65)).digest().subarray(0, 20);
