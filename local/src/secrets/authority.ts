import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type IdentityFiles, identityFiles, issueIdentities } from '@pto/authority';
import { type ProcessName, processNames } from '@pto/proto/callers';

export const authorityFolder = 'authority';

const domain = 'partner-api.local';
const days = 825; // some systems reject a longer validity
const renewMs = 30 * 86_400_000;

/**
 * Returns the certificate files of HTTPS receivers on this machine. The local webhooks service trusts
 * the authority in `caFile`. Creates both certificates if one is missing or expires within 30 days.
 */
export const openAuthority = (dir: string): IdentityFiles => {
  const folder = join(dir, authorityFolder);
  const files = identityFiles(folder, 'receiver');
  if (!isGood(files))
    issueIdentities(folder, { receiver: ['localhost', '127.0.0.1', '*.partner.test'] }, days);
  return files;
};

/**
 * Returns whether a certificate exists, matches its key and its authority, and is valid for another
 * 30 days.
 */
const isGood = ({ caFile, certFile, keyFile }: IdentityFiles): boolean => {
  if (![caFile, certFile, keyFile].every((file) => existsSync(file))) return false;
  const certificate = new X509Certificate(readFileSync(certFile));
  return (
    certificate.checkPrivateKey(createPrivateKey(readFileSync(keyFile))) &&
    certificate.verify(new X509Certificate(readFileSync(caFile)).publicKey) &&
    Date.parse(certificate.validTo) > Date.now() + renewMs
  );
};

/**
 * Issues a certificate for each process of this start. Receivers have another authority, so that a
 * receiver's certificate does not identify a process.
 * @returns the folder of the certificates.
 */
export const issueLocalIdentities = (dir: string): string => {
  const folder = join(dir, 'identities');
  const names = processNames.map((name) => [
    name,
    // The operator's command line connects to 127.0.0.1 and verifies that the certificate contains
    // this address.
    [`${name}.${domain}`, ...(name === 'operators' ? ['127.0.0.1'] : [])],
  ]);
  issueIdentities(folder, Object.fromEntries(names), days);
  return folder;
};

/** Returns a process's settings of mutual TLS. */
export const identity = (name: ProcessName, folder: string): Record<string, string> => {
  const { certFile, keyFile, caFile } = identityFiles(folder, name);
  return {
    TLS_CERT_FILE: certFile,
    TLS_KEY_FILE: keyFile,
    TLS_CA_FILE: caFile,
    TLS_IDENTITY_DOMAIN: domain,
  };
};
