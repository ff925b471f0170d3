import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import type { OutgoingMessage } from '../../src/index.ts';
import { createPublishLane } from '../../src/kafka/kafka-bus.ts';

const message = (id: string, bytes = 1): OutgoingMessage => ({
  topic: 't',
  key: 'k',
  id,
  type: 'test',
  value: new Uint8Array(bytes),
});
const ids = (messages: readonly OutgoingMessage[]) => messages.map(({ id }) => id).join('');

test('calls during a request share the next request, in order', async () => {
  const sent: string[] = [];
  const gate = Promise.withResolvers<void>();
  const publish = createPublishLane(async (batch) => {
    sent.push(ids(batch));
    await gate.promise;
  });
  const first = publish([message('a')]);
  await until(() => sent.length === 1, { what: 'the first request' });
  const later = [publish([message('b'), message('c')]), publish([message('d')])];
  gate.resolve();
  await Promise.all([first, ...later]);
  expect(sent).toEqual(['a', 'bcd']);
});

test('a failed call sends no later message of its own, and other calls succeed', async () => {
  const sent: string[] = [];
  const publish = createPublishLane(async (batch) => {
    sent.push(ids(batch));
    if (sent.length === 1) throw new Error('unavailable');
  });
  const large = publish([message('a', 500_000), message('b', 500_000), message('c')]);
  const other = publish([message('d')]);
  await expect(large).rejects.toThrow('unavailable');
  await other;
  expect(sent).toEqual(['a', 'd']);
});

test('a call that exceeds a request is sent by several requests, in order', async () => {
  const sent: string[] = [];
  const publish = createPublishLane(async (batch) => void sent.push(ids(batch)));
  await publish([
    message('a', 500_000),
    message('b', 500_000),
    message('c'),
    message('d', 900_000),
  ]);
  expect(sent).toEqual(['a', 'bc', 'd']);
});
