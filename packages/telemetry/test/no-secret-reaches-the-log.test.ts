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
    'a row that PostgreSQL rejected',
    () => {
      const row = { detail: 'Failing row contains (CANARY).', where: 'COPY x: "CANARY"' };
      const cause = Object.assign(new Error('m'), row);
      log.error({ err: cause }, 'm');
      log.error({ err: new Failure('INTERNAL', 'm', { cause }) }, 'm');
      expect(lines.at(-2)).not.toContain('CANARY');
    },
  ],
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

const random = `CANARY${'Aa0Zz9'.repeat(7)}1`;
test.each([
  'svc-live-CANARYcanary0123',
  'SVC_TEST_CANARYCANARY0123',
  'svc_live_0123-CANARY_canary-CANARY',
  'svc%5Ftest%5FCANARYcanary0123',
  'WHSEC-CANARYCANARY0123',
  'whsec_0123-CANARY',
  'opt-CANARYcanary0123456789',
  'PTL_CANARYCANARY0123456789',
  'ops_0123456789012345678901-CANARY',
  random,
  random.toUpperCase(),
  `/orders/${random}/events`,
  `key=${random}`,
  `eyJ${'hbGciOi0'.repeat(8)}.eyJ-x0123456789CANARY.CANARY-0123_x`,
])('%s is masked although somebody changed it', (text) => {
  log.info({ path: text }, `not found: ${text}`);
  expect(lines.at(-1)).not.toMatch(/canary/i);
});

test.each([
  '01970f2c-8d3a-7c31-9f3e-2b1c5a7d9e10',
  '/orders/01970f2c-8d3a-7c31-9f3e-2b1c5a7d9e10/events',
  'CLINIC-NORTH-2026-11-29-WARD-7-BLOOD-SAMPLE-00017-REPEATED',
  'opt-in-of-the-ward_7',
  'op_test_17, drops-2026, svc-orders, test_svc_1',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855',
  '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  'AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpQqRrSsTtUu01=',
  'localhost/custody+3c5af5df+AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpQqRrSsTtUu01',
  '2ABcdEFGhijKLMnopQRSTUVwxyz', // a KSUID
  '1'.repeat(60),
])('%s stays, because it is no secret', (text) => {
  log.info(text);
  expect(last().msg).toBe(text);
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
