import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { readArguments, UsageError } from '../src/arguments.ts';

test.each<[words: string[], variables: Record<string, string>, fault: RegExp]>([
  [['--prot', '1'], {}, /Unknown option '--prot'/],
  [['extra'], {}, /Unexpected argument 'extra'/],
  [['--port', 'http'], {}, /^--port: expected a port from 0 to 65535, not 'http'$/],
  [['--port', '65536'], {}, /^--port: /],
  [['--port', '-1'], {}, /--port/],
  [[], { PORT: '80x' }, /^PORT: expected a port/],
  [['--dir', ''], {}, /^--dir: expected a folder$/],
  [['--replicas', 'order=2'], {}, /^--replicas: 'order=2': expected one of orders, custody/],
  [['--replicas', 'orders=0'], {}, /^--replicas: 'orders=0': expected a number from 1 to 16/],
  [['--replicas', 'orders=2.5'], {}, /expected a number from 1/],
  [['--replicas', 'orders'], {}, /expected a number from 1/],
  [['--cells', 'North'], {}, /^--cells: 'North': expected a name of up to 16 small letters/],
  [['--cells', 'main'], {}, /^--cells: 'main': /],
  [['--fresh=yes'], {}, /--fresh/],
  [[], { DATABASE_URL: 'mysql://me:s3cret@host/db' }, /^DATABASE_URL: expected a URL beginning/],
  [[], { DATABASE_URL_ORDERS: 'http://me:s3cret@host' }, /^DATABASE_URL_ORDERS: expected a URL/],
  [[], { REDIS_URL: 'localhost:6379' }, /^REDIS_URL: expected a URL beginning with redis:\/\//],
  [[], { KAFKA_BROKERS: 'one:9092,two' }, /^KAFKA_BROKERS: expected host:port, not 'two'$/],
])('%j with %j', (words, variables, fault) => {
  expect(() => readArguments(words, variables)).toThrow(UsageError);
  expect(() => readArguments(words, variables)).toThrow(fault);
  expect(() => readArguments(words, variables)).not.toThrow(/s3cret/);
});

test('a flag wins over its variable, and an empty variable is no variable', () => {
  expect(readArguments([], {})).toEqual({
    dir: resolve('.local'),
    port: 8080,
    cells: ['main'],
    replicas: { orders: 1, custody: 1, webhooks: 1, gateway: 1, operators: 1, courier: 1 },
    fresh: false,
    demo: true,
    help: false,
    given: { postgres: undefined, databases: {}, redis: undefined, kafka: undefined },
  });
  const variables = { LOCAL_DIR: '/from/variable', PORT: '81', DATABASE_URL: '' };
  expect(readArguments([], variables)).toMatchObject({ dir: '/from/variable', port: 81 });
  expect(
    readArguments(
      [
        ...['--dir', '/from/flag', '--port', '0', '--replicas', 'orders=2, gateway=3', '--no-demo'],
        ...['--cells', 'north, south'],
      ],
      { ...variables, KAFKA_BROKERS: 'one:9092, two:9093', DATABASE_URL_ORDERS: 'postgres://o' },
    ),
  ).toMatchObject({
    dir: '/from/flag',
    port: 0,
    cells: ['main', 'north', 'south'],
    replicas: { orders: 2, custody: 1, webhooks: 1, gateway: 3 },
    demo: false,
    given: {
      postgres: undefined,
      databases: { orders: 'postgres://o' },
      kafka: ['one:9092', 'two:9093'],
    },
  });
});
