import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import express from 'express';
import { pendingCookie } from '../src/browser/pending-cookie.ts';
import { checkOpenId } from '../src/config.ts';
import { openId } from '../src/operators/openid.ts';
import { signInAndOut } from '../src/operators/sign-in.ts';

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

let issuer: string;
/** Paths of the requests that the provider has received. */
let received: string[] = [];
const provider = createServer((request, response) => {
  received.push(request.url!);
  response.setHeader('content-type', 'application/json');
  if (request.url !== '/token')
    response.end(
      JSON.stringify({
        ...{ issuer, jwks_uri: `${issuer}/keys` },
        ...{ authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
      }),
    );
  else response.writeHead(400).end(JSON.stringify({ error: 'invalid_grant' }));
});
const replicas: Server[] = [];
beforeAll(async () => {
  issuer = await listen(provider);
});
afterAll(() => {
  provider.close();
});
beforeEach(() => {
  received = [];
});
afterEach(() => {
  jest.restoreAllMocks();
  for (const server of replicas.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a replica of the console with sign-in alone. Returns its URL. */
const replica = (key: Buffer): Promise<string> => {
  const given = { issuer, clientId: 'console', scopes: ['openid'] };
  const handler = signInAndOut(
    {} as never,
    openId({ publicUrl: 'http://127.0.0.1' }, async () => given),
    pendingCookie(key),
    { log: { warn: () => {} } } as never,
  );
  const server = createServer(express().use(handler));
  replicas.push(server);
  return listen(server);
};
const begin = async (url: string) => {
  const response = await fetch(`${url}/session/openid`, { redirect: 'manual' });
  const [cookie] = response.headers.getSetCookie()[0]!.split(';') as [string];
  return { cookie, state: new URL(response.headers.get('location')!).searchParams.get('state')! };
};
const end = async (url: string, cookie: string, state: string): Promise<void> => {
  const response = await fetch(`${url}/session/openid/callback?code=x&state=${state}`, {
    redirect: 'manual',
    headers: { cookie },
  });
  expect(response.headers.get('location')).toBe('/?sign-in=failed'); // the provider grants nothing
};
const text = () => randomBytes(32).toString('base64url');
const now = () => Math.floor(Date.now() / 1000);

test('for a cookie that nobody began a sign-in with, the provider gets no request', async () => {
  const url = await replica(Buffer.alloc(0));
  const state = text();
  const forms = [
    `${state}.${text()}.${text()}`,
    `${state}.${text()}.${text()}.${now()}`,
    `${state}.${text()}.${text()}.${now()}.${text()}`,
    `${state}.${text()}.${text()}.${now()}.`,
    `${state}.${text()}.${text()}.${now()}.${'A'.repeat(43)}`,
  ];
  for (const value of forms) await end(url, `__Host-openid=${value}`, state);
  await end(url, '', state);
  expect(received).toEqual([]);
});

test('nor for a changed one, one of another key, and one that is older than it lasts', async () => {
  const [url, other] = [await replica(randomBytes(32)), await replica(randomBytes(32))];
  const { cookie, state } = await begin(url);
  received = [];
  const parts = cookie.split('.');
  for (const n of parts.keys()) {
    const changed = parts.with(
      n,
      n === 3 ? `${now() + 1}` : `${n === 0 ? '__Host-openid=' : ''}${text()}`,
    );
    await end(url, changed.join('.'), n === 0 ? changed[0]!.split('=')[1]! : state);
  }
  await end(other, cookie, state);
  const real = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => real() + 700_000);
  await end(url, cookie, state);
  expect(received).toEqual([]);
});

test('a sign-in that a replica began is ended by another one with its key, at the provider', async () => {
  const key = randomBytes(32);
  const [one, other] = [await replica(key), await replica(key)];
  const { cookie, state } = await begin(one);
  await end(other, cookie, state);
  expect(received.filter((path) => path === '/token')).toHaveLength(1);
});

test('replicas at an https URL need the key, and one at an http URL does not', () => {
  const check = (publicUrl: string, openIdKey: Buffer) => () =>
    checkOpenId({ publicUrl, openIdKey } as never);
  const https = 'https://console.example.org';
  expect(check(https, Buffer.alloc(0))).toThrow('CONSOLE_OPENID_KEY is required');
  expect(check(https, randomBytes(32))).not.toThrow();
  for (const without of ['', 'http://127.0.0.1:8090'])
    expect(check(without, Buffer.alloc(0))).not.toThrow();
});
