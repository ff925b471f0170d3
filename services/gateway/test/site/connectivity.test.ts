import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { type Authority, makeAuthority, until } from '@pto/testing';
import type { Backends } from '../../src/backends.ts';
import { openConnectivity } from '../../src/site/connectivity/connectivity.ts';
import { call, type GatewayUnderTest, startGatewayService } from '../gateway-service.ts';

const parts = ['environment', 'outbound', 'inbound', 'certificates', 'retries', 'contact'];
const hostile = '</script><b>&"ops"</b> +49 30 1234';
const reported = {
  retryWaitSeconds: [60, 300, 1800, 14_400, 69_840],
  retryJitter: 0.1,
  attemptTimeoutSeconds: 10,
  connectTimeoutSeconds: 3,
  responseMaxBytes: 65_536,
  brokenFailures: 100,
  brokenMinAgeSeconds: 3600,
  brokenSilenceSeconds: 259_200,
  tlsVersions: ['TLSv1.2', 'TLSv1.3'],
  onlyPort443: true,
};
let [used, next] = [] as unknown as [Authority, Authority];
let dir: string;
let file: string;
let calls = 0;
let under: GatewayUnderTest;
let bare: GatewayUnderTest;

beforeAll(async () => {
  [used, next] = [makeAuthority(), makeAuthority()];
  dir = mkdtempSync(join(tmpdir(), 'pto-connectivity-'));
  file = join(dir, 'client.pem');
  writeFileSync(file, `In-use-from: 2027-01-15T08:00:00Z\n${next.cert}`);
  const page = parts.map((part) => `<div data-fill="connectivity-${part}"></div>`).join('\n');
  writeFileSync(join(dir, 'page.html'), `<!doctype html>${page}`);
  const row = { file: 'page.html', type: 'text/html; charset=utf-8', isImmutable: false };
  const files = [{ path: '/docs/connectivity', ...row }];
  writeFileSync(join(dir, 'site.json'), JSON.stringify({ files }));
  const getConnectivity = async () => {
    calls++;
    return { ...reported, clientCertificate: used.cert };
  };
  under = await startGatewayService({
    redisUrl: '',
    behind: { webhooks: { getConnectivity } },
    environment: {
      PUBLIC_BASE_URL: 'https://api.example.com/api/partner/v1',
      EGRESS_ADDRESSES: '192.0.2.0/28, 2001:db8::7',
      CONNECTIVITY_CERTIFICATES_FILE: file,
      SUPPORT_CONTACT: hostile,
      GATEWAY_SITE_DIR: dir,
      TLS_RELOAD: '20ms',
    },
  });
  bare = await startGatewayService({
    redisUrl: '',
    behind: {
      webhooks: {
        getConnectivity: async () => {
          throw new Failure('SERVICE_UNAVAILABLE', 'down');
        },
      },
    },
    environment: { GATEWAY_SITE_DIR: dir },
  });
});
afterAll(async () => {
  await under.stop();
  await bare.stop();
  used.forget();
  next.forget();
  rmSync(dir, { recursive: true });
});

const at = (path: string, gateway = under) => `http://127.0.0.1:${gateway.port}${path}`;
const fingerprint = ({ cert }: Authority) => new X509Certificate(cert).fingerprint256;
const readJson = async (gateway = under) => {
  const { status, headers, text } = await call('GET', at('/connectivity.json', gateway));
  expect(status).toBe(200);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  return JSON.parse(text);
};

test('the JSON has all that a firewall needs, with the figures of the running service', async () => {
  expect(await readJson()).toEqual({
    environment: 'sandbox',
    api: { url: 'https://api.example.com/api/partner/v1', port: 443 },
    egress_addresses: ['192.0.2.0/28', '2001:db8::7/128'],
    receivers: {
      port: 443,
      tls_versions: ['TLSv1.2', 'TLSv1.3'],
      connect_timeout_seconds: 3,
      attempt_timeout_seconds: 10,
      response_max_bytes: 65_536,
    },
    retries: {
      attempts: 6,
      wait_seconds: [60, 300, 1800, 14_400, 69_840],
      jitter: 0.1,
      broken_failures: 100,
      broken_min_age_seconds: 3600,
      broken_silence_seconds: 259_200,
    },
    client_certificates: [
      // in use, although the file does not list it
      expect.objectContaining({ sha256: fingerprint(used), in_use: true, in_use_from: null }),
      {
        subject: 'CN=test',
        issuer: expect.stringContaining('CN=Partner Transport Orders identities'),
        serial_number: expect.stringMatching(/^[0-9A-F]+$/),
        sha256: fingerprint(next),
        valid_from: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        valid_until: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        in_use: false,
        in_use_from: '2027-01-15T08:00:00.000Z',
        pem: next.cert,
      },
    ],
    support_contact: hostile,
  });
});

test('the page has the same, as text, within the policy of the site', async () => {
  const { status, headers, text } = await call('GET', at('/docs/connectivity'));
  expect(status).toBe(200);
  expect(headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(text).not.toContain('data-fill');
  expect(text).not.toContain('<b>');
  for (const words of [
    'api.example.com',
    '<code>192.0.2.0/28</code>',
    'TLS 1.2 or TLS 1.3',
    `<code>${fingerprint(used).slice(0, 48)}<wbr>${fingerprint(used).slice(48)}</code>`,
    '<strong>now</strong>',
    'from <time>2027-01-15 08:00 UTC</time>',
    'A delivery has 6 attempts within 24 h',
    '<td>6</td><td>19 h 24 min</td><td>24 h</td>',
    '<td>2</td><td>1 min ± 10 %</td><td>1 min</td>',
    'At most 64 KiB',
    'after 100 consecutive failures over at least 1 h, or after 72 h',
    '&lt;/script&gt;&lt;b&gt;&amp;&quot;ops&quot;&lt;/b&gt; +49 30 1234',
  ])
    expect(text).toContain(words);
});

test('many clients cost one call of webhooks', async () => {
  const before = calls;
  await Promise.all(Array.from({ length: 40 }, () => readJson()));
  expect(calls - before).toBeLessThanOrEqual(1);
});

test('without settings and without webhooks it says what is not known', async () => {
  expect(await readJson(bare)).toEqual({
    environment: 'sandbox',
    api: { url: null, port: 443 },
    egress_addresses: [],
    receivers: null,
    retries: null,
    client_certificates: [],
    support_contact: null,
  });
  const { text } = await call('GET', at('/docs/connectivity', bare));
  for (const words of [
    'The operator has not stated them.',
    'has stated no client certificate',
    'The webhooks service does not respond at the moment',
    'The operator has not stated a contact.',
  ])
    expect(text).toContain(words);
});

test('a changed file is shown, and an invalid one is not', async () => {
  writeFileSync(file, used.cert + next.cert);
  await until(async () => (await readJson()).client_certificates[0].pem === used.cert, {
    what: 'the changed file',
  });
  expect((await readJson()).client_certificates).toHaveLength(2);
  writeFileSync(file, used.cert + used.key);
  await until(() => under.logged.some((line) => line.includes('certificates are invalid')), {
    what: 'a warning',
  });
  expect((await readJson()).client_certificates).toHaveLength(2);
  expect(under.logged.join('')).not.toContain(used.key.split('\n')[1]);
});

const opened = (more: object, getConnectivity: () => Promise<unknown>) =>
  openConnectivity(
    {
      environment: 'sandbox',
      publicBaseUrl: 'http://localhost:8080/api/partner/v1',
      egressAddresses: [],
      connectivityCertificatesFile: '',
      supportContact: '',
      tlsReloadMs: 20,
      ...more,
    },
    { webhooks: { getConnectivity } as unknown as Backends['webhooks'] },
    { warn: () => {} },
  );

test('while webhooks is down, its last figures are shown', async () => {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  const answers = [
    async () => ({ ...reported, clientCertificate: '' }),
    async () => Promise.reject(new Failure('SERVICE_UNAVAILABLE', 'down')),
  ];
  const read = opened({}, () => answers.shift()!());
  expect((await read()).retries).toMatchObject({ attempts: 6 });
  clock.mockReturnValue(10_000);
  expect((await read()).retries).toMatchObject({ attempts: 6 });
  expect(answers).toEqual([]);
  clock.mockRestore();
});

test('a gateway does not start with a file that has a private key', () => {
  writeFileSync(file, used.cert + used.key);
  expect(() => opened({ connectivityCertificatesFile: file }, async () => reported)).toThrow(
    'CONNECTIVITY_CERTIFICATES_FILE: contains a private or public key',
  );
});
