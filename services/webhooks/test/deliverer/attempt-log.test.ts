import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sealingKeys } from '@pto/sealing';
import { createTelemetry } from '@pto/telemetry';
import { type Authority, makeAuthority } from '@pto/testing';
import { post } from '../../src/deliverer/attempt.ts';
import { sealSecret } from '../../src/secrets/seal.ts';
import { openSigningKeys } from '../../src/secrets/sign.ts';
import { localEgress } from '../egress/local-egress.ts';

const ring = sealingKeys('WEBHOOKS_SECRET_KEYS').parse(`k1:${randomBytes(32).toString('base64')}`);
const secret = 'whsec_00000000000000000000000000000000';
let authority: Authority;
beforeAll(() => {
  authority = makeAuthority();
});
afterAll(() => authority.forget());

/** A TLS server that responds to each request with these bytes. */
const respondingWith = async (bytes: string) => {
  const server = createServer({ cert: authority.cert, key: authority.key }, (socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
};

/** Makes one attempt. @returns its outcome, and the lines that were logged at this level. */
const attemptAt = async (port: number, sealingKey: string, level: string) => {
  const lines: Record<string, unknown>[] = [];
  const { log } = createTelemetry({
    service: 'webhooks',
    level,
    write: (line) => void lines.push(JSON.parse(line)),
  });
  const egress = localEgress(authority, 1000);
  const sealed = sealSecret(ring, 'endpoint', secret).sealed.toString('base64');
  const posting = {
    deliveryId: 'delivery',
    endpointId: 'endpoint',
    url: `https://localhost:${port}/hooks?token=of-the-partner`,
    secrets: [{ sealing_key: sealingKey, sealed }],
    event: 'order.sealed',
    payload: Buffer.from('{"of":"the payload"}'),
    sequence: 1,
    clock: Date.now,
  };
  const deps = { egress, signingKeys: openSigningKeys(ring), log };
  const outcome = await post(deps, posting, { timeoutMs: 2000 });
  await egress.close();
  return { outcome, lines };
};

test('logs why an attempt has no response, without URL, payload and response', async () => {
  const server = await respondingWith('garbage of the receiver\r\n\r\n');
  const { outcome, lines } = await attemptAt(server.port, 'k1', 'debug');
  server.close();
  expect(outcome).toEqual({ error: 'protocol' });
  expect(lines).toHaveLength(1);
  const err = {
    message: expect.stringMatching(/^malformed HTTP response: Response does not match/),
  };
  expect(lines[0]).toMatchObject({ deliveryId: 'delivery', endpointId: 'endpoint', err });
  expect(JSON.stringify(lines)).not.toMatch(/garbage|token|payload|whsec_/);
});

test('logs which key a secret needs that this process cannot decrypt', async () => {
  const { outcome, lines } = await attemptAt(1, 'k2', 'debug');
  expect(outcome).toEqual({ error: 'unsigned' });
  const message =
    'the bytes are encrypted with key k2, which WEBHOOKS_SECRET_KEYS lacks: add the key';
  expect(lines).toMatchObject([
    { deliveryId: 'delivery', endpointId: 'endpoint', err: { message } },
  ]);
});

test('logs nothing at the usual level', async () => {
  expect((await attemptAt(1, 'k1', 'info')).lines).toEqual([]);
});
