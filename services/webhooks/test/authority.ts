import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueCertificate } from '../../../local/src/authority/certificate.ts';

/** A private authority, and a certificate from it, as the local mesh has one. */
export interface Authority {
  readonly caFile: string;
  readonly cert: string;
  readonly key: string;
  forget(): void;
}

/** @param names that the certificate is for. */
export const makeAuthority = (names: readonly string[] = ['localhost', '127.0.0.1']): Authority => {
  const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [own, receivers] = [pair(), pair()];
  const subject = `authority of a test ${Math.random()}`;
  const issuer = { name: subject, ...own };
  const ca = issueCertificate({ ...own, subject, issuer, days: 2, use: 'authority' });
  const dir = mkdtempSync(join(tmpdir(), 'pto-authority-'));
  const caFile = join(dir, 'ca.pem');
  writeFileSync(caFile, ca);
  return {
    caFile,
    cert: issueCertificate({
      publicKey: receivers.publicKey,
      subject: 'receiver',
      issuer,
      days: 2,
      use: names,
    }),
    key: receivers.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    forget: () => rmSync(dir, { recursive: true, force: true }),
  };
};
