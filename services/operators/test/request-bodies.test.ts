import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { newToken } from '../src/identity/tokens.ts';
import { type OperatorsUnderTest, startOperatorsService, tokenOf } from './operators-service.ts';

let under: OperatorsUnderTest;
let admin: string;
beforeAll(async () => {
  under = await startOperatorsService({ environment: { OPERATORS_FAILED_AUTH_PER_MINUTE: '2' } });
  admin = await tokenOf(under.database);
});
afterAll(() => under.stop());

const whoAmI = '/operators/operators.v1.OperatorService/WhoAmI';
const signIn = '/operators/operators.v1.SignInService/GetSignIn';

/** Sends a head that announces 1000 bytes unless told otherwise, then the body, if there is one. */
const post = (path: string, headers: Record<string, string | number>, body?: Buffer) =>
  new Promise<{ status: number; json: { code: string; details?: unknown[] } }>(
    (resolve, reject) => {
      const length = { 'content-length': body?.length ?? 1000 };
      const sent = request(`${under.url}${path}`, {
        method: 'POST',
        ca: readFileSync(under.caFile),
        agent: false,
        headers: { 'content-type': 'application/json', ...length, ...headers },
      });
      sent.on('error', reject);
      sent.on('response', async (response) => {
        const text = Buffer.concat(await response.toArray()).toString();
        sent.destroy();
        resolve({ status: response.statusCode ?? 0, json: JSON.parse(text || '{}') });
      });
      if (body) sent.end(body);
      else sent.flushHeaders();
    },
  );
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test('a compressed body is rejected', async () => {
  const body = gzipSync('{}');
  const headers = { ...bearer(admin), 'content-encoding': 'gzip' };
  expect(await post(whoAmI, headers, body)).toMatchObject({ json: { code: 'unimplemented' } });
});

test('the body of a request without a credential has at most 1 KiB', async () => {
  const long = Buffer.from(JSON.stringify({ x: 'y'.repeat(1100) }));
  expect(await post(signIn, {}, long)).toMatchObject({ json: { code: 'resource_exhausted' } });
  expect(await post(signIn, {}, Buffer.from('{}'))).toMatchObject({ status: 200 });
});

test('a request without a valid credential is answered before its body arrives', async () => {
  expect(await post(whoAmI, {})).toMatchObject({
    status: 401,
    json: { code: 'unauthenticated', details: [{ type: 'rpc.v1.Failure' }] },
  });
  for (const status of [401, 401, 429])
    expect(await post(whoAmI, bearer(newToken()))).toMatchObject({ status });
});

test('a client that still sends its body when it is rejected gets the rejection', async () => {
  const parts = 50;
  const sent = request(`${under.url}${whoAmI}`, {
    method: 'POST',
    ca: readFileSync(under.caFile),
    agent: false, // as `operatorClient`: the connection ends with the response
    headers: { 'content-type': 'application/json', 'content-length': parts * 10_000 },
  });
  const errors: unknown[] = [];
  const failed = once(sent, 'error').then((error) => errors.push(...error));
  sent.flushHeaders();
  const [response] = await once(sent, 'response');
  for (let n = 0; n < parts; n++)
    await Promise.race([failed, new Promise((done) => sent.write('x'.repeat(10_000), done))]);
  const text = Buffer.concat(await response.toArray()).toString();
  expect([errors, JSON.parse(text).code]).toEqual([[], 'unauthenticated']);
  sent.destroy();
});

test('a client that sends 3,000 requests ahead keeps no operator waiting, and gets each response', async () => {
  const head = `POST ${signIn} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
  const { port } = new URL(under.url);
  const ca = readFileSync(under.caFile);
  const sockets = Array.from({ length: 10 }, () => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', servername: 'localhost', ca });
    const heard = { socket, responses: 0 };
    socket.on('data', (bytes) => {
      heard.responses += bytes.toString('latin1').split('HTTP/1.1 200').length - 1;
    });
    socket.write(head.repeat(3000));
    return heard;
  });
  await until(() => sockets.every(({ responses }) => responses > 0), { what: 'first responses' });
  expect(await post(whoAmI, bearer(admin), Buffer.from('{}'))).toMatchObject({ status: 200 });
  expect(sockets.every(({ responses }) => responses < 3000)).toBe(true);
  for (const { socket } of sockets.slice(1)) socket.destroy();
  await until(() => sockets[0]!.responses === 3000, { what: 'all responses of one connection' });
  sockets[0]!.socket.destroy();
});
