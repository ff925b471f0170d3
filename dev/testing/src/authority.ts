import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueCertificate } from '@pto/authority';

/** A certificate authority and a certificate from it, for servers and clients in tests. */
export interface Authority {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
  forget(): void;
}

/**
 * Creates a CA and a certificate for tests.
 * @param names subject alternative names.
 * @param days validity of both certificates.
 */
export const makeAuthority = (
  names: readonly string[] = ['localhost', '127.0.0.1'],
  days = 2,
): Authority => {
  const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [own, leaf] = [pair(), pair()];
  const subject = `authority of a test ${Math.random()}`;
  const issuer = { name: subject, ...own };
  const dir = mkdtempSync(join(tmpdir(), 'pto-authority-'));
  const write = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text, { mode: 0o600 });
    return join(dir, name);
  };
  const ca = issueCertificate({ ...own, subject, issuer, days, use: 'authority' });
  const { publicKey } = leaf;
  const cert = issueCertificate({ publicKey, subject: 'test', issuer, days, use: names });
  const key = leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return {
    caFile: write('ca.pem', ca),
    certFile: write('cert.pem', cert),
    keyFile: write('key.pem', key),
    cert,
    key,
    forget: () => rmSync(dir, { recursive: true, force: true }),
  };
};
