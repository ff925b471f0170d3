import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  X509Certificate,
} from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueCertificate } from '@pto/authority';

/**
 * Certificate files of an HTTPS receiver on this machine. The local webhooks service trusts the
 * certificate authority in `caFile`.
 */
export interface ReceiverFiles {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

export const authorityFolder = 'authority';

const receiverNames = ['localhost', '127.0.0.1', '*.partner.test'];
const authorityDays = 3650;
const receiverDays = 825; // some systems reject a longer validity
const renewMs = 30 * 86_400_000;

/**
 * Returns the files of the folder's certificate authority and receiver certificate. Creates those
 * that are missing or expire within 30 days.
 */
export const openAuthority = (dir: string): ReceiverFiles => {
  const folder = join(dir, authorityFolder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = (name: string) => join(folder, name);
  const files = {
    caFile: path('ca.pem'),
    certFile: path('receiver.pem'),
    keyFile: path('receiver-key.pem'),
  };
  const caKeyFile = path('ca-key.pem');
  if (!isGood(files.caFile, caKeyFile)) {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const name = `Partner Transport Orders local authority ${Date.now()}`;
    const issuer = { name, ...pair };
    writeKey(caKeyFile, pair.privateKey);
    write(
      files.caFile,
      issueCertificate({ ...pair, subject: name, issuer, days: authorityDays, use: 'authority' }),
    );
  }
  const authority = new X509Certificate(readFileSync(files.caFile));
  if (!isGood(files.certFile, files.keyFile, authority)) {
    const privateKey = createPrivateKey(readFileSync(caKeyFile));
    const name = authority.subject.replace('CN=', ''); // needs no unescaping
    const issuer = { name, privateKey, publicKey: createPublicKey(privateKey) };
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeKey(files.keyFile, pair.privateKey);
    write(
      files.certFile,
      issueCertificate({
        publicKey: pair.publicKey,
        subject: 'localhost',
        issuer,
        days: receiverDays,
        use: receiverNames,
      }),
    );
  }
  return files;
};

/**
 * Returns whether a certificate exists, matches its key and its authority, and is valid for another
 * 30 days.
 */
const isGood = (certFile: string, keyFile: string, authority?: X509Certificate): boolean => {
  if (!existsSync(certFile) || !existsSync(keyFile)) return false;
  const certificate = new X509Certificate(readFileSync(certFile));
  return (
    certificate.checkPrivateKey(createPrivateKey(readFileSync(keyFile))) &&
    certificate.verify((authority ?? certificate).publicKey) &&
    Date.parse(certificate.validTo) > Date.now() + renewMs
  );
};

const writeKey = (path: string, key: KeyObject): void =>
  write(path, key.export({ type: 'pkcs8', format: 'pem' }) as string);

const write = (path: string, text: string): void => {
  const part = `${path}.${process.pid}`;
  writeFileSync(part, text, { mode: 0o600 });
  renameSync(part, path);
};
