import { Socket } from 'node:net';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { readConfig } from '@pto/config';
import { uuidv7 } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { stores, uniqueName } from '@pto/testing';
import { busSettings, openBus } from '../../src/index.ts';

const { kafka: brokers } = stores();
const where = brokers ? describe : describe.skip;
afterEach(() => {
  jest.restoreAllMocks();
});

const produceKey = 0;

/** `acks` of a Produce request (versions 3 to 8) as it goes over the wire; undefined for others. */
const acksOf = (bytes: Buffer): number | undefined => {
  if (bytes.length < 14 || bytes.readInt16BE(4) !== produceKey) return undefined;
  const version = bytes.readInt16BE(6);
  if (version < 3 || version > 8) throw new Error(`Produce request of version ${version}`);
  // size 4, key 2, version 2, correlation id 4; client id and transactional id are nullable strings
  const afterClientId = 14 + Math.max(0, bytes.readInt16BE(12));
  const afterTransaction = afterClientId + 2 + Math.max(0, bytes.readInt16BE(afterClientId));
  return bytes.readInt16BE(afterTransaction);
};

where('Kafka', () => {
  test('each send asks for the acknowledgment of all in-sync replicas', async () => {
    const seen: number[] = [];
    const write = Socket.prototype.write;
    jest.spyOn(Socket.prototype, 'write').mockImplementation(function (
      this: Socket,
      ...words: unknown[]
    ) {
      const [bytes] = words;
      const acks = Buffer.isBuffer(bytes) ? acksOf(bytes) : undefined;
      if (acks !== undefined) seen.push(acks);
      return (write as (...given: unknown[]) => boolean).apply(this, words);
    } as typeof write);
    const { settings } = readConfig(busSettings, { KAFKA_BROKERS: brokers!.join(',') });
    const bus = await openBus(settings, createTelemetry({ service: 'acks', write: () => {} }));
    const topic = uniqueName('topic');
    await bus.ensureTopics([{ name: topic, partitions: 1 }]);
    await bus.publish([{ topic, key: 'k', id: uuidv7(), type: 't', value: Buffer.from('1') }]);
    await bus.close();
    expect(seen.length).toBeGreaterThan(0);
    expect(new Set(seen)).toEqual(new Set([-1]));
  });
});
