import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueCertificate } from './certificate.ts';

/** PEM files of one identity. */
export interface IdentityFiles {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
}

/** Returns the files of an identity in a folder that `issueIdentities` filled. */
export const identityFiles = (folder: string, identity: string): IdentityFiles => ({
  certFile: join(folder, `${identity}.pem`),
  keyFile: join(folder, `${identity}-key.pem`),
  caFile: join(folder, 'ca.pem'),
});

/**
 * Creates a new certificate authority and issues one certificate for each identity. The authority's
 * private key is not stored. Existing files of the same names are replaced. The files have mode
 * 0600; a missing folder is created with mode 0700.
 * @param identities DNS names and IPv4 addresses of each identity.
 * @param days validity of all certificates.
 */
export const issueIdentities = (
  folder: string,
  identities: Readonly<Record<string, readonly string[]>>,
  days: number,
): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const own = pair();
  const subject = `Partner Transport Orders identities ${Date.now()}`;
  const issuer = { name: subject, ...own };
  for (const [identity, names] of Object.entries(identities)) {
    const { publicKey, privateKey } = pair();
    const { certFile, keyFile } = identityFiles(folder, identity);
    write(certFile, issueCertificate({ publicKey, subject: identity, issuer, days, use: names }));
    write(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  }
  const { caFile } = identityFiles(folder, '');
  write(caFile, issueCertificate({ ...own, subject, issuer, days, use: 'authority' }));
};

const write = (path: string, text: string): void => {
  const part = `${path}.${process.pid}`;
  writeFileSync(part, text, { mode: 0o600 });
  renameSync(part, path);
};
