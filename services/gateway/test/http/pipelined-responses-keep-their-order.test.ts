import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { raw, statusesIn, until } from '@pto/testing';
import { type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

const path = '/api/partner/v1';

let under: GatewayUnderTest;
let given: string;
/** Lets the listing of orders that is under way be answered. */
let goOn = () => {};
let begun = 0;
beforeAll(async () => {
  under = await startGatewayService({
    redisUrl: '',
    behind: {
      orders: {
        listOrders: async () => {
          begun++;
          await new Promise<void>((resolve) => {
            goOn = resolve;
          });
          return {};
        },
      },
    },
  });
  given = `Host: x\r\nAuthorization: Bearer ${(await partnerOf(under)).key}\r\n`;
});
afterAll(() => under.stop());

/** Sends a slow request with something behind it, and lets it be answered once that has come. */
const behindASlowOne = async (more: string): Promise<string> => {
  const before = begun;
  const heard = raw(under.port, [`GET ${path}/orders HTTP/1.1\r\n${given}\r\n`, more], {
    quietMs: 1000,
  });
  await until(() => begun > before, { what: 'the slow request' });
  goOn();
  return heard;
};

test('garbage behind a good request does not take its answer away', async () => {
  const heard = await behindASlowOne('GARBAGE\r\n\r\n');
  expect(statusesIn(heard)).toEqual([200, 400]);
  expect(heard).toContain('\r\n\r\n{"data":[],"next_cursor":null,"as_of":null}HTTP/1.1 400');
});

test('a body that turns to garbage is refused behind the answer before it', async () => {
  const post = `POST ${path}/locations HTTP/1.1\r\n${given}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`;
  expect(statusesIn(await behindASlowOne(post))).toEqual([200, 400]);
});

test('the word to go on comes behind the answer before it, and not inside its own', async () => {
  const post = `POST ${path}/locations HTTP/1.1\r\n${given}Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`;
  const before = begun;
  let heard = '';
  const socket = connect(under.port, '127.0.0.1').on('data', (part) => {
    heard += part.toString('latin1');
  });
  socket.write(`GET ${path}/orders HTTP/1.1\r\n${given}\r\n${post}`);
  await until(() => begun > before, { what: 'the slow request' });
  goOn();
  await until(() => heard.endsWith('100 Continue\r\n\r\n'), { what: 'the word to go on' });
  socket.write('{}');
  await until(() => heard.endsWith('}]}'), { what: 'the second answer' });
  socket.destroy();
  expect(statusesIn(heard)).toEqual([200, 100, 422]);
  expect(heard).toMatch(
    /"next_cursor":null,"as_of":null\}HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 422 /,
  );
});

test('a body that came unasked behind another request is answered without that word', async () => {
  const post = `POST ${path}/locations HTTP/1.1\r\n${given}Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`;
  const heard = await behindASlowOne(post);
  expect(statusesIn(heard)).toEqual([200, 422]);
  expect(heard).toMatch(/"next_cursor":null,"as_of":null\}HTTP\/1\.1 422 /);
});
