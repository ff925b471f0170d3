import { expect, test } from '@jest/globals';
import { ConfigError, readConfig } from '@pto/config';
import { freePort } from '@pto/testing';
import { busSettings } from '../src/index.ts';
import { openTestBus } from './open-test-bus.ts';

test('without either, both settings are named', async () => {
  const { settings } = readConfig(busSettings, {});
  const error = await openTestBus(settings).catch((e) => e);
  expect(error).toBeInstanceOf(ConfigError);
  expect(error.message).toContain('KAFKA_BROKERS');
  expect(error.message).toContain('BUS_DATABASE_URL');
});

test.each(['KAFKA_BROKERS', 'BUS_DATABASE_URL'])(
  'when nobody answers at %s the start fails, and says that it can be retried',
  async (name) => {
    const address = `127.0.0.1:${await freePort()}`;
    const value = name === 'KAFKA_BROKERS' ? address : `postgres://a:b@${address}/bus`;
    const { settings } = readConfig(busSettings, { [name]: value });
    await expect(openTestBus(settings)).rejects.toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
  },
  30_000,
);
