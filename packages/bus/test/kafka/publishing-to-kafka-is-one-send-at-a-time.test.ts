import { expect, test } from '@jest/globals';
import type { OutgoingMessage } from '../../src/index.ts';
import { createPublishLane } from '../../src/kafka/publish-lane.ts';

const message = (id: string, bytes = 1): OutgoingMessage => ({
  topic: 't',
  key: 'k',
  id,
  type: 'test',
  value: new Uint8Array(bytes),
});
const ids = (messages: readonly OutgoingMessage[]) => messages.map(({ id }) => id).join('');

test('what comes while a send is under way goes together in the next, in order', async () => {
  const sent: string[] = [];
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const lane = createPublishLane(async (batch) => {
    sent.push(ids(batch));
    await gates[sent.length - 1]?.promise;
  });
  const first = lane.publish([message('a')]);
  const second = lane.publish([message('b'), message('c')]);
  const third = lane.publish([message('d')]);
  expect(sent).toEqual(['a']);
  gates[0]!.resolve();
  await first;
  gates[1]!.resolve();
  await Promise.all([second, third]);
  expect(sent).toEqual(['a', 'bcd']);
});

test('a call fails as a whole, and nothing of it is sent after the failure', async () => {
  const sent: string[] = [];
  const lane = createPublishLane(async (batch) => {
    sent.push(ids(batch));
    if (sent.length === 1) throw new Error('away');
  });
  const large = lane.publish([message('a', 500_000), message('b', 500_000), message('c')]);
  const other = lane.publish([message('d')]);
  await expect(large).rejects.toThrow('away');
  await other;
  expect(sent).toEqual(['a', 'd']);
});

test('a lane that has too much waiting refuses more', async () => {
  const gate = Promise.withResolvers<void>();
  const lane = createPublishLane(() => gate.promise);
  const most = Array.from({ length: 20_000 }, () => message('a'));
  const waiting = [lane.publish(most), lane.publish(most.slice(0, 1000))];
  await expect(lane.publish([message('b')])).rejects.toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
  gate.resolve();
  await Promise.all(waiting);
  await lane.publish([message('b')]);
});
