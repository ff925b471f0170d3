import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A private authority, and a certificate from it for `localhost` and `127.0.0.1`. */
export interface Authority {
  readonly caFile: string;
  readonly cert: string;
  readonly key: string;
  forget(): void;
}

export const makeAuthority = (names = 'DNS:localhost,IP:127.0.0.1,IP:::1'): Authority => {
  const dir = mkdtempSync(join(tmpdir(), 'pto-authority-'));
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=test authority',
  );
  openssl(
    'req',
    ...key,
    '-keyout',
    'receiver.key',
    '-out',
    'receiver.csr',
    '-subj',
    '/CN=receiver',
  );
  writeFileSync(join(dir, 'extensions'), `subjectAltName=${names}\n`);
  const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'extensions'];
  openssl('x509', '-req', '-in', 'receiver.csr', ...by, '-days', '2', '-out', 'receiver.pem');
  return {
    caFile: join(dir, 'ca.pem'),
    cert: readFileSync(join(dir, 'receiver.pem'), 'utf8'),
    key: readFileSync(join(dir, 'receiver.key'), 'utf8'),
    forget: () => rmSync(dir, { recursive: true, force: true }),
  };
};
