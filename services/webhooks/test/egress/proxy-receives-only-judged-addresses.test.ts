import { createServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '@pto/config';
import { type Authority, makeAuthority, until } from '@pto/testing';
import { settings } from '../../src/config.ts';
import { parseAllowedRange } from '../../src/egress/address-policy.ts';
import { openEgress } from '../../src/egress/egress.ts';
import { trust } from '../../src/egress/tls.ts';
import { parseProxy } from '../../src/egress/tunnel.ts';
import { startCountingListener } from '../counting-listener.ts';
import { startProxy } from '../proxy.ts';
import { type Receiver, startReceiver } from '../receiver.ts';

const credentials = { user: 'egress', password: 'pass-word-of-the-proxy' };
const [publicV4, publicV6] = ['93.184.216.34', '2606:4700:4700::1111'];
const connectTimeoutMs = 500;
let authority: Authority;
let receiver: Receiver;
const closing: (() => void)[] = [];

beforeAll(async () => {
  authority = makeAuthority(['hooks.example.com', '127.0.0.1']);
  receiver = await startReceiver(authority);
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
});
afterAll(async () => {
  await receiver.close();
  authority.forget();
});

const proxyThat = async (manner?: Parameters<typeof startProxy>[0]) => {
  const proxy = await startProxy(manner);
  closing.push(proxy.close);
  return proxy;
};

const post = async (
  proxyPort: number,
  { addresses = [publicV4], host = 'hooks.example.com', allow = [] as string[], login = true } = {},
) => {
  const { user, password } = credentials;
  const egress = openEgress({
    policy: { allow: allow.map(parseAllowedRange), only443: false },
    resolve: async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    tls: trust(authority.caFile),
    connectTimeoutMs,
    egressProxy: parseProxy(`http://${login ? `${user}:${password}@` : ''}127.0.0.1:${proxyPort}`),
  });
  const url = new URL(`https://${host}:${new URL(receiver.url).port}/hooks`);
  const request = { method: 'POST', url, headers: {}, body: Buffer.from('{}') } as const;
  try {
    return await egress
      .request({ endpointId: 'e', ...request, timeoutMs: 3000, responseMaxBytes: 100 })
      .catch((error) => error);
  } finally {
    await egress.close();
  }
};

const wanted = (address: string) => `CONNECT ${address}:${new URL(receiver.url).port} HTTP/1.1`;
const basic = `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`;

describe('the proxy receives the checked address and never a name', () => {
  test.each([
    ['IPv4', publicV4, publicV4],
    ['IPv6', publicV6, `[${publicV6}]`],
  ])('%s', async (_, address, literal) => {
    const proxy = await proxyThat();
    const before = receiver.received.length;
    expect(await post(proxy.port, { addresses: [address] })).toMatchObject({ statusCode: 204 });
    expect(proxy.asked).toEqual([{ line: wanted(literal), authorization: basic }]);
    expect(receiver.received).toHaveLength(before + 1);
  });

  test('without credentials where none are set', async () => {
    const proxy = await proxyThat();
    expect(await post(proxy.port, { login: false })).toMatchObject({ statusCode: 204 });
    expect(proxy.asked[0]!.authorization).toBeUndefined();
  });

  test('if the proxy does not reach an address, the next one is tried, three at most', async () => {
    const proxy = await proxyThat((socket) => socket.end('HTTP/1.1 502 No\r\n\r\n'));
    const addresses = [publicV4, '93.184.216.35', publicV6, '93.184.216.36'];
    expect(await post(proxy.port, { addresses })).toMatchObject({ fault: 'connection_failed' });
    const lines = [publicV4, '93.184.216.35', `[${publicV6}]`].map(wanted);
    expect(proxy.asked.map(({ line }) => line)).toEqual(lines);
  });
});

describe('the guard judges all the same, and the proxy hears nothing', () => {
  test.each<[string, object]>([
    ['a literal', { host: '10.0.0.1' }],
    ['the metadata service', { host: '169.254.169.254' }],
    ['a mapped literal', { host: '[::ffff:127.0.0.1]' }],
    ['a name that leads to loopback', { addresses: ['127.0.0.1'] }],
    ['a name with one bad address of two', { addresses: [publicV4, 'fd00::1'] }],
    ['the proxy itself', { host: '127.0.0.1' }],
  ])('%s', async (_, target) => {
    const proxy = await proxyThat();
    expect(await post(proxy.port, target)).toMatchObject({ fault: 'egress_refused' });
    expect(proxy.asked).toEqual([]);
  });
});

test("the certificate is the URL's host's, not the proxy's", async () => {
  const proxy = await proxyThat();
  // the certificate names 127.0.0.1 too, where the proxy stands
  const answer = await post(proxy.port, { host: 'other.example.com' });
  expect(answer).toMatchObject({ fault: 'tls' });
});

const head = 'HTTP/1.1 200 OK\r\n\r\n';

test.each<[string, string, (socket: Socket) => void]>([
  ['wants other credentials', 'proxy', (s) => s.end('HTTP/1.1 407 Who?\r\n\r\n')],
  ['refuses', 'proxy', (s) => s.end('HTTP/1.1 403 No\r\ncontent-length: 3\r\n\r\nno!')],
  ['does not reach the receiver', 'connection_failed', (s) => s.end('HTTP/1.1 504 No\r\n\r\n')],
  ['hangs', 'connect_timeout', () => {}],
  ['hangs after its consent', 'connect_timeout', (s) => s.write(head)],
  ['drips', 'connect_timeout', (s) => s.write('HTTP/1.1 2')],
  ['sends interim answers alone', 'proxy', (s) => s.write('HTTP/1.1 100 Go\r\n\r\n')],
  ['hangs up', 'proxy', (s) => s.end()],
  ['resets', 'proxy', (s) => s.resetAndDestroy()],
  ['answers rubbish', 'proxy', (s) => s.end('\0\x01\x02 what?\r\n\r\n')],
  ['repeats what it heard', 'proxy', (s) => s.end(`Proxy-Authorization: ${basic}\r\n\r\n`)],
  ['sends endless headers', 'proxy', (s) => s.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(99_999)}`)],
  ['sends bytes after its consent', 'proxy', (s) => s.write(`${head}HTTP/1.1 204 No\r\n\r\n`)],
  [
    'speaks where TLS is due',
    'tls',
    (s) => {
      s.write(head);
      s.once('data', () => s.write('what?'));
    },
  ],
])('a proxy that %s: %s', async (_, fault, manner) => {
  const proxy = await proxyThat(manner);
  const before = receiver.received.length;
  const begun = Date.now();
  const error = await post(proxy.port);
  expect(error).toMatchObject({ fault });
  // its parser's error would hold the bytes that came
  if (fault === 'proxy') expect(error.cause).toBeUndefined();
  expect(Date.now() - begun).toBeLessThan(connectTimeoutMs + 5000);
  for (const secret of [credentials.password, basic.slice(6)])
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(secret);
  expect(receiver.received).toHaveLength(before);
  await until(() => proxy.open() === 0, { what: 'its connections to be closed' });
});

test('a proxy that redirects is not followed', async () => {
  const listener = await startCountingListener();
  closing.push(listener.close);
  const proxy = await proxyThat((s) =>
    s.end(`HTTP/1.1 302 There\r\nlocation: http://127.0.0.1:${listener.port}/\r\n\r\n`),
  );
  expect(await post(proxy.port)).toMatchObject({ fault: 'proxy' });
  expect(listener.connections()).toBe(0);
});

test('no request bypasses an unavailable proxy', async () => {
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  const { port } = gone.address() as { port: number };
  await new Promise((resolve) => gone.close(resolve));
  const before = receiver.received.length;
  // straight ahead the receiver would be reached
  const direct = { host: '127.0.0.1', allow: ['127.0.0.1'] };
  expect(await post(port, direct)).toMatchObject({ fault: 'proxy' });
  expect(receiver.received).toHaveLength(before);
});

describe('WEBHOOKS_EGRESS_PROXY', () => {
  const { egressProxy } = settings;
  const read = (value: string) => readConfig({ egressProxy }, { [egressProxy.name]: value });

  test.each([
    ['http://proxy:3128', { host: 'proxy', port: 3128, authorization: undefined }],
    ['http://proxy', { host: 'proxy', port: 80, authorization: undefined }],
    ['http://[::1]:3128/', { host: '::1', port: 3128, authorization: undefined }],
    ['http://u:p@10.0.0.1:1', { host: '10.0.0.1', port: 1, authorization: 'Basic dTpw' }],
    ['http://u:%40%3A@h:1', { host: 'h', port: 1, authorization: 'Basic dTpAOg==' }],
  ])('%s', (value, proxy) => {
    expect(read(value).settings.egressProxy).toEqual(proxy);
  });

  test('nothing is no proxy', () => {
    expect(read('').settings.egressProxy).toBeUndefined();
    expect(readConfig({ egressProxy }, {}).settings.egressProxy).toBeUndefined();
  });

  test.each([
    'proxy:3128',
    'https://u:secret@proxy:3128',
    'socks5://u:secret@proxy:1080',
    'http://u:secret@proxy:0',
    'http://u:secret@proxy:3128/path',
    'http://u:secret@proxy:3128?a=b',
    'http://u:%zzsecret@proxy:3128',
    'http://a%3Ab:secret@proxy:3128',
    'http://',
  ])('%s is refused, without repeating it', (value) => {
    const error = (() => {
      try {
        return read(value);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(String(error)).toContain('WEBHOOKS_EGRESS_PROXY: expected http://');
    expect(String(error)).not.toContain('secret');
  });

  test('is masked where settings are printed', () => {
    expect(read('http://u:secret@proxy:1').masked).toEqual({ [egressProxy.name]: '***' });
  });
});
