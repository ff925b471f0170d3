import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { statusesIn, until } from '@pto/testing';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

const order = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
const conditions = `/orders/${order}/conditions`;
const mib = 1024 * 1024;

let under: GatewayUnderTest;
/** Files that the orders service has received and not responded to, while `isHeld`. */
let received: {
  readonly content: Uint8Array;
  readonly hash: Uint8Array | undefined;
  finish(): void;
}[];
let isHeld = false;
beforeAll(async () => {
  under = await startGatewayService({
    redisUrl: '',
    timings: { bodyStillMs: 500 },
    behind: {
      orders: {
        recordCondition: ({ readings, idempotency }) =>
          new Promise((resolve) => {
            const finish = () => resolve({ body: Buffer.from('{}'), replayed: false });
            received.push({ content: readings!.content, hash: idempotency?.bodySha256, finish });
            if (!isHeld) finish();
          }),
      },
    },
  });
});
afterAll(() => under.stop());
afterEach(() => {
  isHeld = false;
});

const file = (readings: string) => ({
  device_id: 'logger',
  unit: 'celsius',
  media_type: 'text/csv',
  readings,
});
const post = async (body: string, headers = {}, path = conditions) => {
  const { key } = await partnerOf(under);
  received = [];
  const url = `${under.baseUrls[0]}${path}`;
  const sent = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers };
  const response = await fetch(url, { method: 'POST', headers: sent, body });
  const text = await response.text();
  return { status: response.status, text, json: JSON.parse(text) };
};
const withMember = (member: string) =>
  `${JSON.stringify(file('time,value')).slice(0, -1)},"x":${member}}`;

describe('a body that a member besides the readings makes large is rejected before it is parsed', () => {
  test.each([
    ['arrays', (bytes: number) => `[${'[],'.repeat(bytes / 3 - 1)}[]]`],
    ['objects', (bytes: number) => `[${'{},'.repeat(bytes / 3 - 1)}{}]`],
    ['numbers', (bytes: number) => `[${'1,'.repeat(bytes / 2 - 1)}1]`],
    ['members', (bytes: number) => `{${'"":0,'.repeat(bytes / 5 - 1)}"":0}`],
    ['a text', (bytes: number) => `"${'a'.repeat(bytes)}"`],
    ['the readings of a member', (bytes: number) => `{"readings":"${'a'.repeat(bytes)}"}`],
  ])('%s', async (_, member) => {
    const { status, json } = await post(withMember(member(8 * mib - 1000)), {
      'idempotency-key': 'k',
    });
    expect([status, json.error]).toMatchObject([
      413,
      { code: 'PAYLOAD_TOO_LARGE', details: { max_bytes: 256 * 1024 } },
    ]);
  });

  test('also where the readings are no text', async () => {
    const readings = `[${'[],'.repeat(mib)}[]]`;
    expect(await post(`{"readings":${readings}}`)).toMatchObject({ status: 413 });
  });
});

test.each([conditions, '/orders', '/locations', '/webhooks'])(
  'POST %s with 256 KiB of values is rejected with their number',
  async (path) => {
    const { status, json } = await post(`{"x":[${'[],'.repeat(80_000)}[]]}`, {}, path);
    expect([status, json.detail]).toMatchObject([
      422,
      [{ type: 'json_invalid', ctx: { error: 'more than 50000 values' } }],
    ]);
  },
);

test.each(['{"toString":0}', '[{"toString":0}]', '{"__proto__":null}', 'null'])(
  'readings that are given again as %s are a 422',
  async (again) => {
    const body = `{"readings":"${'a'.repeat(300_000)}","readings":${again}}`;
    const { status, text, json } = await post(body);
    expect([status, json.detail]).toMatchObject([422, expect.anything()]);
    expect(text.length).toBeLessThan(2000);
  },
);

test('the 422 of a large body with missing members does not repeat it', async () => {
  const { status, text, json } = await post(`{"x":"${'a'.repeat(200_000)}"}`);
  expect(status).toBe(422);
  expect(json.detail.map(({ type }: { type: string }) => type)).toContain('missing');
  expect(text.length).toBeLessThan(2000);
});

test('the input of a 422 has up to 1 KiB', async () => {
  const inputOf = async (device: unknown) => {
    const { json } = await post(JSON.stringify({ ...file('a'), device_id: device }));
    return json.detail.find(({ loc }: { loc: string[] }) => loc[1] === 'device_id').input;
  };
  expect(await inputOf(['x'.repeat(1019)])).toEqual(['x'.repeat(1019)]);
  expect(await inputOf(['x'.repeat(1020)])).toBeUndefined();
  expect(await inputOf(Array(300).fill({ a: 1 }))).toBeUndefined();
  expect(await inputOf([{ a: [1, null, true] }])).toEqual([{ a: [1, null, true] }]);
});

test.each([5 * mib, 7 * mib])(
  'readings are rejected above 5 MiB, with a body of %i bytes',
  async (bytes) => {
    const { status, json } = await post(JSON.stringify(file('é'.repeat(bytes / 2 + 1))));
    const loc = ['body', 'readings'];
    expect([status, json.detail]).toEqual([
      422,
      [
        {
          type: 'value_error',
          loc,
          msg: expect.stringContaining('split the file'),
          ctx: expect.anything(),
        },
      ],
    ]);
    expect((await post(JSON.stringify(file('é'.repeat((5 * mib) / 2))))).status).toBe(201);
  },
);

describe('a file of readings arrives as it was sent', () => {
  const line = '2026-01-01T00:00:00Z,4.25\r\n"é 😀 \\ \t"\n';
  const readings = line.repeat((4.9 * mib) / Buffer.byteLength(line));
  test.each([
    ['plain', JSON.stringify(readings)],
    ['escaped', JSON.stringify(readings).replaceAll('é', '\\u00e9').replaceAll('/', '\\/')],
  ])('%s', async (_, text) => {
    const body = JSON.stringify(file('READINGS')).replace('"READINGS"', text);
    const { status } = await post(body, { 'idempotency-key': 'k' });
    expect(status).toBe(201);
    expect(Buffer.from(received[0]!.content).toString()).toBe(readings);
    const small = await post(JSON.stringify(file('a')), { 'idempotency-key': 'k' });
    expect(small.status).toBe(201);
    expect(Buffer.from(received[0]!.content).toString()).toBe('a');
  });

  test('with the hash of the same JSON in another form', async () => {
    const plain = await post(JSON.stringify(file(readings)), { 'idempotency-key': 'k' });
    const [first] = received;
    const reversed = Object.fromEntries(Object.entries(file(readings)).reverse());
    await post(JSON.stringify(reversed, null, 2), { 'idempotency-key': 'k' });
    expect(plain.status).toBe(201);
    expect(received[0]!.hash).toEqual(first!.hash);
  });

  test.each([
    ['NUL', '\0'],
    ['a lone surrogate', '\ud800'],
  ])('or is rejected with %s', async (_, fault) => {
    const { status, json } = await post(JSON.stringify(file(readings + fault)));
    expect([status, json.detail]).toMatchObject([422, [{ loc: ['body', 'readings'] }]]);
  });
});

test('24 files of three organizations are all taken, two of them at a time', async () => {
  isHeld = true;
  received = [];
  const body = JSON.stringify(file('2026-01-01T00:00:00Z,4.25\n'.repeat(190_000)));
  const keys = await Promise.all(Array.from({ length: 3 }, () => partnerOf(under)));
  const sent = keys.flatMap(({ key }) =>
    Array.from({ length: 8 }, () =>
      fetch(`${under.baseUrls[0]}${conditions}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body,
      }),
    ),
  );
  await until(() => received.length === 2, { what: 'two files' });
  const { key } = keys[0]!;
  expect((await call('GET', `${under.baseUrls[0]}/ping`, { key })).status).toBe(200);
  expect(received).toHaveLength(2);
  let isOver = false;
  const all = Promise.all(sent).finally(() => {
    isOver = true;
  });
  let most = 0;
  await until(
    () => {
      most = Math.max(most, received.length);
      for (const { finish } of received.splice(0)) finish();
      return isOver;
    },
    { what: 'all responses' },
  );
  expect((await all).map(({ status }) => status)).toEqual(Array(24).fill(201));
  expect(most).toBe(2);
});

/** Opens a request for a condition; `heard` grows with its response. */
const opened = (key: string, length: string) => {
  const heard = { text: '', socket: connect(under.port, '127.0.0.1') };
  heard.socket
    .on('error', () => {})
    .on('data', (part) => {
      heard.text += part;
    });
  heard.socket.write(
    `POST /api/partner/v1${conditions} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`,
  );
  return heard;
};
const longerThanStillMs = async (
  step: (byte: string) => void,
  rest = JSON.stringify(file('a')),
) => {
  for (const byte of rest) {
    step(byte);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

test('a body that arrives slowly has its time, with or without a length; a still one is a 408', async () => {
  const { key } = await partnerOf(under);
  received = [];
  const body = JSON.stringify(file('a'.repeat(20_000)));
  const length = `Content-Length: ${body.length}`;
  const [slow, still] = [opened(key, length), opened(key, length)];
  const chunked = opened(key, 'Transfer-Encoding: chunked');
  still.socket.write('{');
  const head = body.slice(0, -80);
  slow.socket.write(head);
  chunked.socket.write(`${head.length.toString(16)}\r\n${head}\r\n`);
  await longerThanStillMs((byte) => {
    slow.socket.write(byte);
    chunked.socket.write(`1\r\n${byte}\r\n`);
  }, body.slice(-80));
  chunked.socket.write('0\r\n\r\n');
  const all = [slow, chunked, still];
  await until(() => all.every(({ text }) => text !== ''), { what: 'all responses' });
  expect(all.map(({ text }) => statusesIn(text))).toEqual([[201], [201], [408]]);
  for (const { socket } of all) socket.destroy();
});

test('the small bodies in drops of a key’s writes in a minute delay no other request', async () => {
  const { key } = await partnerOf(under);
  const drops = Array.from({ length: 59 }, () => opened(key, `Content-Length: ${16 * 1024}`));
  const dropping = setInterval(() => {
    for (const { socket } of drops) socket.write(' ');
  }, 20);
  const heads = drops.map(({ socket }) => socket.bytesWritten);
  await until(() => drops.every(({ socket }, n) => socket.bytesWritten > heads[n]! + 5), {
    what: 'drops of each body',
  });
  const asked = performance.now();
  for (let n = 0; n < 20; n++)
    expect((await call('GET', `${under.baseUrls[0]}/ping`, { key })).status).toBe(200);
  const sent = fetch(`${under.baseUrls[0]}${conditions}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(file('a')),
  });
  expect((await call('GET', `${under.baseUrls[0]}/ping`, { key })).status).toBe(200);
  expect((await sent).status).toBe(201);
  expect(performance.now() - asked).toBeLessThan(10_000);
  clearInterval(dropping);
  expect(drops.map(({ text }) => text)).toEqual(Array(59).fill(''));
  for (const { socket } of drops) socket.destroy();
});

test('bodies in drops end when another organization waits for their memory', async () => {
  const [first, ...more] = await Promise.all(Array.from({ length: 4 }, () => partnerOf(under)));
  const { key } = await partnerOf(under);
  received = [];
  // 24 MiB of the first organization, and one file of each other: 48 MiB
  const drop = ({ key }: { key: string }) => opened(key, 'Transfer-Encoding: chunked');
  const drops = [first!, first!, first!].map(drop);
  await call('GET', `${under.baseUrls[0]}/ping`, { key: first!.key }); // later than these
  drops.push(...more.map(drop));
  const step = () => {
    for (const { socket } of drops) socket.write('1\r\n{\r\n');
  };
  await longerThanStillMs(step);
  expect(drops.map(({ text }) => text)).toEqual(Array(6).fill(''));
  const dropping = setInterval(step, 20);
  const honest = await fetch(`${under.baseUrls[0]}${conditions}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(file('a'.repeat(5 * mib))),
  });
  expect(honest.status).toBe(201);
  clearInterval(dropping);
  expect(drops.flatMap(({ text }) => statusesIn(text))).toContain(408);
  for (const { socket } of drops) socket.destroy();
});
