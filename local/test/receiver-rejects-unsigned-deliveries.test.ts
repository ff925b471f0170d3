import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { IdentityFiles } from '@pto/authority';
import { type Delivery, listen } from '../src/receiver.ts';
import { openAuthority } from '../src/secrets/authority.ts';

const dir = mkdtempSync(join(tmpdir(), 'receiver-test-'));
const received: Delivery[] = [];
const secrets = ['whsec_old', 'whsec_new'];
let files: IdentityFiles;
let listening: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  files = openAuthority(dir);
  listening = await listen({
    ...files,
    port: 0,
    secrets: () => secrets,
    onDelivery: (delivery) => received.push(delivery),
  });
});
beforeEach(() => {
  received.length = 0;
});
afterAll(() => {
  listening.server.closeAllConnections();
  listening.server.close();
  rmSync(dir, { recursive: true });
});

const send = (method: string, path: string, headers = {}, body: string | Buffer = '') =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { port } = listening;
    const ca = readFileSync(files.caFile);
    const sent = request({ host: 'localhost', port, method, path, headers, ca }, (response) => {
      let text = '';
      response.on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    sent.once('error', reject).end(body);
  });

const body = JSON.stringify({
  event: 'order.sealed',
  occurred_at: '2026-03-02T08:31:02.000Z',
  data: { order: { id: 'an order', external_id: 'Größe', status: 'sealed' } },
  links: { order: 'https://api.example.com/api/partner/v1/orders/an-order' },
});

const signed = (secret: string, text: string | Buffer, agoS = 0) => {
  const t = Math.floor(Date.now() / 1000) - agoS;
  const v1 = createHmac('sha256', secret).update(`${t}.`).update(text).digest('hex');
  return `t=${t},v1=${v1}`;
};

let last = 0;
const deliver = (signature: string, id = `delivery ${++last}`, bytes: string | Buffer = body) =>
  send('POST', '/', { 'x-service-signature': signature, 'x-service-delivery': id }, bytes);

test('the handshake is answered with its nonce', async () => {
  expect(await send('GET', '/hooks?a=1&verification=n0nce-_')).toEqual({
    status: 200,
    text: 'n0nce-_',
  });
});

test.each(secrets)('what %s signed is taken, once, though it comes three times', async (secret) => {
  for (const _ of [1, 2, 3]) {
    expect((await deliver(signed(secret, body), `of ${secret}`)).status).toBe(204);
  }
  expect(received).toEqual([{ id: `of ${secret}`, body: JSON.parse(body) }]);
});

test.each([
  ['unsigned', ''],
  ['signed by somebody else', signed('whsec_other', body)],
  ['signed for another body', signed('whsec_new', `${body} `)],
  [
    'signed for another second',
    signed('whsec_new', body).replace(/\d,/, (digit) => `${(Number(digit[0]) + 1) % 10},`),
  ],
  ['signed six minutes ago', signed('whsec_new', body, 360)],
  ['signed six minutes ahead', signed('whsec_new', body, -360)],
  ['with a digest cut short', signed('whsec_new', body).slice(0, -2)],
])('a delivery that is %s is rejected', async (_, signature) => {
  expect((await deliver(signature)).status).toBe(401);
  expect(received).toEqual([]);
});

test('what was signed four minutes ago is taken', async () => {
  expect((await deliver(signed('whsec_new', body, 240))).status).toBe(204);
  expect(received).toHaveLength(1);
});

test('the signature is over the raw bytes: a body spelled differently is checked as it came', async () => {
  const spelled = body.replace('"order.sealed"', ' "order\\u002esealed" ');
  expect((await deliver(signed('whsec_new', spelled), 'spelled', spelled)).status).toBe(204);
  expect(received[0]?.body.event).toBe('order.sealed');
});

test('an event that is new is answered, and passed over', async () => {
  const added = body.replace('order.sealed', 'order.photographed');
  expect((await deliver(signed('whsec_new', added), 'new', added)).status).toBe(204);
  expect(received).toEqual([]);
});

test('without a secret everything is rejected, and the receiver continues', async () => {
  const known = secrets.splice(0, 2, '');
  try {
    expect((await deliver(signed('whsec_new', body))).status).toBe(401);
    expect((await deliver('')).status).toBe(401);
  } finally {
    secrets.splice(0, 1, ...known);
  }
  expect((await deliver(signed('whsec_new', body))).status).toBe(204);
});

test('a body over 64 KiB, another method, no id and no JSON are refused', async () => {
  const large = Buffer.alloc(65 * 1024, 32);
  expect((await deliver(signed('whsec_new', large), 'large', large)).status).toBe(413);
  expect((await send('PUT', '/')).status).toBe(405);
  expect((await deliver(signed('whsec_new', 'text'), 'text', 'text')).status).toBe(400);
  const signature = { 'x-service-signature': signed('whsec_new', body) };
  expect((await send('POST', '/', signature, body)).status).toBe(400);
  expect(received).toEqual([]);
});
