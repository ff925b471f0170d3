import { isIP } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type EgressPolicy,
  judgeAddress,
  judgeUrl,
  parseAllowedRange,
} from '../../src/egress/address-policy.ts';
import { openEgress } from '../../src/egress/egress.ts';
import { EgressError } from '../../src/egress/egress-error.ts';
import { type ResolveHost, resolveHost, resolveHostBy } from '../../src/egress/resolve-host.ts';
import { trust } from '../../src/egress/tls.ts';
import { startCountingListener } from '../counting-listener.ts';
import { startNameServer } from '../name-server.ts';
import { dnsAttacks, faultyUrls, publicAddresses, refusedHosts } from './egress-attacks.ts';

const sandbox: EgressPolicy = { allow: [], only443: false };
const production: EgressPolicy = { allow: [], only443: true };
const tls = trust('');
let listener: Awaited<ReturnType<typeof startCountingListener>>;

beforeAll(async () => {
  listener = await startCountingListener();
});
afterAll(() => {
  expect(listener.connections()).toBe(0);
  const rows = refusedHosts.length + faultyUrls.length + dnsAttacks.length;
  process.stdout.write(`${rows} attacks, ${listener.connections()} connections\n`);
  listener.close();
});

/** What becomes of a request that the guard alone can stop. */
const call = async (
  url: string,
  {
    policy = sandbox,
    resolve = resolveHost,
  }: { policy?: EgressPolicy; resolve?: ResolveHost } = {},
): Promise<unknown> => {
  const egress = openEgress({ policy, resolve, tls, connectTimeoutMs: 1000 });
  const request = { method: 'GET', url: new URL(url), headers: {} } as const;
  try {
    return await egress
      .request({ endpointId: 'e', ...request, timeoutMs: 2000, responseMaxBytes: 10 })
      .catch((error) => error);
  } finally {
    await egress.close();
  }
};

const refusal = (reason: string) => expect.stringMatching(new RegExp(`${reason}`));

describe('a literal, however it is written', () => {
  test.each(refusedHosts)('https://%s: %s', async (host, reason) => {
    const url = `https://${host}:${listener.port}/`;
    expect(judgeUrl(url, production)).toEqual(refusal(reason));
    expect(judgeUrl(url, sandbox)).toEqual(refusal(reason));
    const error = await call(url);
    expect(error).toBeInstanceOf(EgressError);
    expect(error).toMatchObject({ fault: 'egress_refused', message: refusal(reason) });
    expect(listener.connections()).toBe(0);
  });
});

describe('the public Internet is open', () => {
  test.each(publicAddresses)('%s', (address) => {
    expect(judgeAddress(address, 443, production)).toBeNull();
    expect(judgeAddress(address, 8443, sandbox)).toBeNull();
    expect(judgeAddress(address, 8443, production)).toBe('must use port 443');
  });
});

describe('a URL that speaks against itself', () => {
  test.each(faultyUrls)('%j %s', (url, fault) => {
    expect(judgeUrl(url, production)).toBe(fault);
  });

  test('another port than 443, in production', () => {
    expect(judgeUrl('https://example.com:8443/', production)).toBe('must use port 443');
    expect(judgeUrl('https://example.com:80/', production)).toBe('must use port 443');
    expect(judgeUrl('https://example.com:443/hooks?a=b', production)).toBeNull();
    expect(judgeUrl('https://bücher.example/ä', production)).toBeNull();
    expect(judgeUrl('https://example.com:8443/', sandbox)).toBeNull();
  });
});

describe('a name', () => {
  const leadingTo =
    (...addresses: string[]): ResolveHost =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

  const addresses = refusedHosts
    .map(([host]) => host.replace(/^\[|\]$/g, ''))
    .filter((host) => isIP(host) !== 0);
  test.each([...addresses, 'localhost'])('that leads to %s', async (address) => {
    const url = `https://hooks.example.com:${listener.port}/`;
    expect(judgeUrl(url, sandbox)).toBeNull();
    const alone = await call(url, { resolve: leadingTo(address) });
    expect(alone).toMatchObject({ fault: 'egress_refused' });
    const second = await call(url, { resolve: leadingTo('93.184.216.34', address) });
    expect(second).toMatchObject({ fault: 'egress_refused' });
  });

  test.each(dnsAttacks)('whose name server answers with %s: %s', async (_, fault, ...answers) => {
    const nameServer = await startNameServer(answers);
    const resolve: ResolveHost = (host) => resolveHostBy(host, [nameServer.server]);
    const policy = { ...sandbox, allow: [parseAllowedRange('127.0.0.2/32')] };
    const url = `https://hooks.example.com:${listener.port}/`;
    expect(await call(url, { policy, resolve })).toMatchObject({ fault });
    if (answers.length > 1)
      expect(await call(url, { policy, resolve })).toMatchObject({ fault: 'egress_refused' });
    nameServer.close();
  });

  test.each(['localhost', 'LOCALHOST', 'localhost.', 'hooks.localhost'])('%s', async (name) => {
    const error = await call(`https://${name}:${listener.port}/`);
    expect(error).toMatchObject({ fault: 'egress_refused', message: refusal('loopback') });
  });

  test('that changes its answer gains nothing: a connection resolves the name once', async () => {
    let asked = 0;
    const resolve: ResolveHost = async () => {
      asked++;
      return [{ address: asked === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }];
    };
    const policy = { ...sandbox, allow: [parseAllowedRange('127.0.0.2/32')] };
    // nobody listens on 127.0.0.2; on 127.0.0.1, which the second answer names, somebody counts
    const error = await call(`https://rebinding.example:${listener.port}/`, { policy, resolve });
    expect(error).toMatchObject({ fault: 'connection_refused' });
    expect(asked).toBe(1);
  });

  test.each(['127.0.0.1..', '127.0.0.1.example', '1.0.0.127.in-addr.arpa.'])(
    'that only looks like an address: %s',
    async (name) => {
      const nameServer = await startNameServer([{}]);
      const resolve: ResolveHost = (host) => resolveHostBy(host, [nameServer.server]);
      const error = await call(`https://${name}:${listener.port}/`, { resolve });
      expect(error).toMatchObject({ fault: 'dns' });
      nameServer.close();
    },
  );

  test('that nobody knows', async () => {
    const error = await call('https://hooks.example.com/', { resolve: leadingTo() });
    expect(error).toMatchObject({ fault: 'dns' });
  });
});

describe('an opt-in opens what it names and nothing beside it', () => {
  test.each([
    ['127.0.0.0/8', '127.5.5.5', 9000, true],
    ['127.0.0.0/8', '10.0.0.1', 9000, false],
    ['127.0.0.0/8', '::1', 9000, false],
    ['127.0.0.1', '127.0.0.1', 443, true],
    ['127.0.0.1', '127.0.0.2', 443, false],
    ['127.0.0.1:8443', '127.0.0.1', 8443, true],
    ['127.0.0.1:8443', '127.0.0.1', 443, false],
    ['::1/128', '::1', 1, true],
    ['[::1/128]:8443', '::1', 8443, true],
    ['[::1/128]:8443', '::1', 8444, false],
    ['0.0.0.0/0', '10.1.2.3', 22, true],
    ['0.0.0.0/0', '::ffff:10.1.2.3', 22, false],
    ['::/0', '::ffff:10.1.2.3', 22, false],
    ['::/0', '2002:7f00:1::', 443, false],
  ])('%s and %s port %i: %s', (entry, address, port, opens) => {
    const policy = { allow: [parseAllowedRange(entry)], only443: true };
    expect(judgeAddress(address, port, policy) === null).toBe(opens);
  });

  test.each([
    '',
    'localhost',
    '127.0.0.1/33',
    '127.0.0.1:0',
    '127.0.0.1:70000',
    '::1/129',
    '1.2.3',
  ])('%j is no opt-in', (entry) => {
    expect(() => parseAllowedRange(entry)).toThrow('expected CIDRs');
  });
});
