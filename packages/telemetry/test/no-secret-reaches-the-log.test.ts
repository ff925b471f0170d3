import { expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { createTelemetry, inSpan, startTracing, withRequestId } from '../src/index.ts';

const lines: string[] = [];
const { log } = createTelemetry({ service: 'test', write: (line) => lines.push(line) });
const last = () => JSON.parse(lines.at(-1) ?? '{}');

test.each([
  ['a message', () => log.info('key svc_live_CANARYcanary0123 is no good')],
  ['a personal token', () => log.info('token opt_CANARYcanary0123456789 is not known')],
  ['a session of an operator', () => log.info('/ops_CANARYcanary0123456789 is no path')],
  ['a code of a link', () => log.info({ requestId: 'ptl_CANARYcanary0123456789' }, 'request')],
  ['an ID token', () => log.info('eyJhbGciOiJSUzI1NiJ9.eyJCANARYcanary.CANARY-0123_x is expired')],
  ['a member', () => log.info({ url: 'https://x/?k=svc_test_CANARYcanary0123' }, 'm')],
  ["an error's text", () => log.error({ err: new Error('whsec_CANARYcanary0123') }, 'm')],
  ['a header', () => log.info({ headers: { authorization: 'Bearer CANARY.canary-0123' } }, 'm')],
  ['a header in a text', () => log.info('authorization: bearer CANARYcanary0123')],
  ["a URL's password", () => log.info('postgres://user:CANARYcanary@localhost/x')],
  [
    'a private cause',
    () => {
      const cause = new Error('svc_live_CANARYcanary0123');
      log.error({ err: new Failure('INTERNAL', 'm', { cause }) }, 'm');
    },
  ],
])('in %s', (_, write) => {
  write();
  expect(lines.at(-1)).not.toContain('CANARY');
  expect(last()).toMatchObject({ service: 'test' });
});

test('a line says which request and which trace it belongs to', async () => {
  startTracing('test', undefined);
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await withRequestId('request-1', () =>
    inSpan('work', { kind: 'server', traceparent }, async () => {
      log.info('inside');
    }),
  );
  expect(last()).toMatchObject({
    level: 'info',
    requestId: 'request-1',
    traceId: '0af7651916cd43dd8448eb211c80319c',
  });
});
