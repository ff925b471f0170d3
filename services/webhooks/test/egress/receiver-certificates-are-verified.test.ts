import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createPlain } from 'node:net';
import { dirname, join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { issueCertificate } from '@pto/authority';
import { type Authority, makeAuthority } from '@pto/testing';
import { startCountingListener } from '../counting-listener.ts';
import { startReceiver } from '../receiver.ts';
import { localEgress } from './local-egress.ts';

const run = promisify(execFile);
const egressFolder = new URL('../../src/egress', import.meta.url).href;
let authority: Authority;
let stranger: Authority;
let elsewhere: Authority;

beforeAll(() => {
  authority = makeAuthority();
  stranger = makeAuthority();
  elsewhere = makeAuthority(['other.example']);
});
afterAll(() => {
  for (const one of [authority, stranger, elsewhere]) one.forget();
});

/** For localhost; valid from a day before `days`, which begin now. */
const issued = (isSelfSigned: boolean, days: number) => {
  const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [own, leaf] = [pair(), pair()];
  const issuer = isSelfSigned ? { name: 'test', ...leaf } : { name: 'authority', ...own };
  const { publicKey } = leaf;
  const key = leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const cert = issueCertificate({ publicKey, subject: 'test', issuer, days, use: ['localhost'] });
  if (isSelfSigned) return { cert, key };
  const caFile = join(dirname(authority.caFile), 'of-the-expired.pem');
  const request = { ...own, subject: issuer.name, issuer, days: 2, use: 'authority' } as const;
  writeFileSync(caFile, issueCertificate(request));
  return { cert, key, caFile };
};

/** Attempts one after the other, by one egress. @returns what each ended with: an answer, or an error. */
const posts = async (url: string, trusted: Authority, times: number) => {
  const egress = localEgress(trusted, 1000);
  const body = Buffer.from('{}');
  const request = { method: 'POST', url: new URL(url), headers: {}, body } as const;
  const ended = [];
  for (let n = 0; n < times; n++)
    ended.push(
      await egress
        .request({ endpointId: 'e', ...request, timeoutMs: 2000, responseMaxBytes: 100 })
        .catch((error) => error),
    );
  await egress.close();
  return ended;
};

const post = async (url: string, trusted = authority) => (await posts(url, trusted, 1))[0];

test('a certificate for the host, from an authority that is trusted, is taken', async () => {
  const receiver = await startReceiver(authority);
  expect(await post(receiver.url)).toMatchObject({ statusCode: 204 });
  expect(await post(receiver.url.replace('localhost', '127.0.0.1'))).toMatchObject({
    statusCode: 204,
  });
  await receiver.close();
});

describe.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'by %s, to a receiver that ends each connection',
  (version) => {
    const listen = async ({ certFile, keyFile }: Authority) => {
      const [cert, key] = [readFileSync(certFile), readFileSync(keyFile)];
      const versions = { minVersion: version, maxVersion: version };
      const resumed: boolean[] = [];
      const server = createServer({ cert, key, ...versions }, (request, response) => {
        resumed.push((request.socket as TLSSocket).isSessionReused());
        response.writeHead(204, { connection: 'close' }).end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const close = () => new Promise((resolve) => server.close(resolve));
      return { url: `https://localhost:${port}/`, resumed, close };
    };

    test('a certificate is shown once, and not again for each delivery', async () => {
      const receiver = await listen(authority);
      const ended = await posts(receiver.url, authority, 3);
      expect(ended.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204]);
      expect(receiver.resumed).toEqual([false, true, true]);
      await receiver.close();
    });

    test('one that is another host’s is refused each time', async () => {
      const receiver = await listen(elsewhere);
      const ended = await posts(receiver.url, elsewhere, 3);
      expect(ended.map(({ fault }) => fault)).toEqual(['tls', 'tls', 'tls']);
      expect(receiver.resumed).toEqual([]);
      await receiver.close();
    });
  },
);

describe('nothing is sent', () => {
  test('to a certificate of an unknown authority', async () => {
    const receiver = await startReceiver(stranger);
    expect(await post(receiver.url)).toMatchObject({ fault: 'tls' });
    expect(receiver.received).toEqual([]);
    await receiver.close();
  });

  test('to a certificate for another host', async () => {
    const receiver = await startReceiver(elsewhere);
    expect(await post(receiver.url, elsewhere)).toMatchObject({ fault: 'tls' });
    const byAddress = receiver.url.replace('localhost', '127.0.0.1');
    expect(await post(byAddress, elsewhere)).toMatchObject({ fault: 'tls' });
    expect(receiver.received).toEqual([]);
    await receiver.close();
  });

  test.each([
    ['that has expired', false, -0.5, 'CERT_HAS_EXPIRED'],
    ['that signed itself', true, 2, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])('to a certificate %s', async (_, isSelfSigned, days, code) => {
    const { caFile, ...certificate } = issued(isSelfSigned, days);
    const receiver = await startReceiver({ ...authority, ...certificate });
    const trusted = { ...authority, caFile: caFile ?? authority.caFile };
    expect(await post(receiver.url, trusted)).toMatchObject({ fault: 'tls', cause: { code } });
    expect(receiver.received).toEqual([]);
    await receiver.close();
  });

  test('to somebody who speaks no TLS', async () => {
    const plain = createPlain((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const { port } = plain.address() as { port: number };
    expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({ fault: 'tls' });
    plain.close();
  });
});

test('proxy variables are not obeyed, not even by a process that was started with them', async () => {
  const listener = await startCountingListener();
  const receiver = await startReceiver(authority);
  const proxy = `http://127.0.0.1:${listener.port}`;
  const names = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'];
  const variables = names.flatMap((name) => [
    [name, proxy],
    [name.toLowerCase(), proxy],
  ]);
  const program = `
    import { parseAllowedRange } from '${egressFolder}/address-policy.ts';
    import { openEgress } from '${egressFolder}/egress.ts';
    import { resolveHost } from '${egressFolder}/resolve-host.ts';
    import { trust } from '${egressFolder}/tls.ts';
    const egress = openEgress({
      policy: { allow: [parseAllowedRange('127.0.0.1'), parseAllowedRange('::1')], only443: false },
      resolve: resolveHost, tls: trust('${authority.caFile}'), connectTimeoutMs: 1000,
    });
    const request = { method: 'POST', headers: {}, timeoutMs: 3000, answerMaxBytes: 9 };
    const answer = await egress.request({ ...request, url: new URL('${receiver.url}') });
    console.log(answer.statusCode);
    await egress.close();`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...Object.fromEntries(variables), NODE_USE_ENV_PROXY: '1', NO_PROXY: '' },
    timeout: 20_000,
  });
  expect(stdout.trim()).toBe('204');
  expect(receiver.received).toHaveLength(1);
  expect(listener.connections()).toBe(0);
  await receiver.close();
  listener.close();
}, 30_000);
