import { X509Certificate } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { IdentityFiles } from '@pto/authority';
import { openAuthority } from '../src/secrets/authority.ts';

let dir: string;
let files: IdentityFiles;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'authority-test-'));
  files = openAuthority(dir);
});
afterAll(() => rmSync(dir, { recursive: true }));

/** The status, or the code of the error, of one request under a name, on a real TLS server. */
const answerUnder = async (servername: string, ca?: string): Promise<number | string> => {
  const server = createServer(
    { cert: readFileSync(files.certFile), key: readFileSync(files.keyFile) },
    (_, response) => response.end(),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await new Promise((resolve) => {
      const asked = request(
        { host: '127.0.0.1', port, servername, headers: { host: servername }, ...(ca && { ca }) },
        (response) => resolve(response.statusCode ?? 0),
      );
      asked.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      asked.end();
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

test('a client that trusts the authority reaches a receiver under its names and under no other', async () => {
  const ca = readFileSync(files.caFile, 'utf8');
  expect(await answerUnder('localhost', ca)).toBe(200);
  expect(await answerUnder('clinic.partner.test', ca)).toBe(200);
  expect(await answerUnder('partner.example', ca)).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
  expect(await answerUnder('localhost')).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  const receiver = new X509Certificate(readFileSync(files.certFile));
  expect(receiver.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(receiver.ca).toBe(false);
  expect(new X509Certificate(ca).ca).toBe(true);
});

test('a second start keeps both certificates; one whose key is lost is made again', () => {
  const before = readFileSync(files.certFile, 'utf8');
  expect(openAuthority(dir)).toEqual(files);
  expect(readFileSync(files.certFile, 'utf8')).toBe(before);
  rmSync(files.keyFile);
  openAuthority(dir);
  expect(readFileSync(files.certFile, 'utf8')).not.toBe(before);
});

test('keys are readable by their owner alone', () => {
  chmodSync(dir, 0o755);
  expect(statSync(files.keyFile).mode & 0o777).toBe(0o600);
});
