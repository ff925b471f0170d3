import { connect } from 'node:net';
import { createServer } from 'node:tls';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ConfigError, readConfig } from '@pto/config';
import { listening } from '@pto/lifecycle';
import { makeAuthority, stores } from '@pto/testing';
import { busSettings } from '../../src/index.ts';
import { kafkaAccess } from '../../src/kafka/kafka-connection.ts';
import { kafkaSettings } from '../../src/settings.ts';
import { openTestBus } from '../open-test-bus.ts';

const { kafka } = stores();
const where = kafka ? describe : describe.skip;
const access = (environment: Record<string, string>) =>
  kafkaAccess(readConfig(kafkaSettings, { KAFKA_BROKERS: 'a:1,b:2', ...environment }).settings);
const [ours, foreign] = [makeAuthority(), makeAuthority()];
afterAll(() => {
  ours.forget();
  foreign.forget();
});

test('a login is whole, or it is refused', () => {
  const login = { KAFKA_USERNAME: 'orders', KAFKA_PASSWORD: 'secret' };
  expect(access({ ...login, KAFKA_TLS: 'true', KAFKA_SASL_MECHANISM: 'scram-sha-512' })).toEqual({
    brokers: ['a:1', 'b:2'],
    ssl: true,
    sasl: { mechanism: 'scram-sha-512', username: 'orders', password: 'secret' },
  });
  expect(access({})).toEqual({ brokers: ['a:1', 'b:2'], ssl: false });
  for (const half of [login, { KAFKA_SASL_MECHANISM: 'plain' }, { KAFKA_PASSWORD: 'secret' }])
    expect(() => access(half)).toThrow(ConfigError);
  expect(() => access({ KAFKA_CA_FILE: '/nowhere' })).toThrow('KAFKA_CA_FILE');
});

test('the password is never printed', () => {
  const { masked } = readConfig(busSettings, { KAFKA_PASSWORD: 'secret' });
  expect(JSON.stringify(masked)).not.toContain('secret');
});

where('a broker behind TLS', () => {
  test('is believed by its authority alone', async () => {
    const [host, port] = kafka![0]!.split(':');
    const server = createServer({ cert: ours.cert, key: ours.key }, (socket) => {
      const broker = connect(Number(port), host);
      broker.on('error', () => socket.destroy());
      socket.on('error', () => broker.destroy());
      socket.pipe(broker).pipe(socket);
    });
    const brokers = `127.0.0.1:${await listening(server, 0, '127.0.0.1')}`;
    const open = (KAFKA_CA_FILE: string) =>
      openTestBus(readConfig(busSettings, { KAFKA_BROKERS: brokers, KAFKA_CA_FILE }).settings);
    const bus = await open(ours.caFile);
    await bus.close();
    await expect(open(foreign.caFile)).rejects.toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
    server.close();
  });
});
