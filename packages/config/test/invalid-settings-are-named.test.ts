import { describe, expect, test } from '@jest/globals';
import {
  base64Keys,
  byCell,
  ConfigError,
  cidrs,
  durationMs,
  integer,
  list,
  oneOf,
  parseDurationMs,
  port,
  readConfig,
  text,
  url,
} from '../src/index.ts';

const declarations = {
  wait: durationMs('WAIT', { fallback: 1000 }),
  limit: integer('LIMIT', { fallback: 600 }),
  mode: oneOf('MODE', ['a', 'b'], { fallback: 'a' }),
  port: port('PORT', { fallback: 80 }),
  names: list('NAMES', (t) => t, { fallback: [] }),
  database: url('DATABASE', ['postgres'], { fallback: '' }),
  token: text('TOKEN', { secret: true }),
};

const faultsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(declarations, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
  }
  return [];
};

test('all faults are reported at once, each with its name and without secrets', () => {
  const faults = faultsOf({ WAIT: '0s', LIMIT: '0', MODE: 'c', PORT: '70000', DATABASE: 'x' });
  expect(faults.map((fault) => fault.split(/[ :]/)[0])).toEqual([
    'WAIT',
    'LIMIT',
    'MODE',
    'PORT',
    'DATABASE',
    'TOKEN',
  ]);
});

test('an empty variable is as good as none', () => {
  const { settings } = readConfig(declarations, { TOKEN: 't', WAIT: '', NAMES: '' });
  expect(settings).toMatchObject({ wait: 1000, names: [] });
});

test('what is printed holds neither secrets nor passwords', () => {
  const { masked } = readConfig(declarations, {
    TOKEN: 'CANARY-1',
    DATABASE: 'postgres://user:CANARY-2@host/db',
  });
  expect(JSON.stringify(masked)).not.toContain('CANARY');
  expect(masked).toMatchObject({ TOKEN: '***', DATABASE: 'postgres://user:***@host/db' });
});

describe('durations', () => {
  test.each([
    ['250ms', 250],
    ['10s', 10_000],
    ['5m', 300_000],
    ['4h', 14_400_000],
    ['3d', 259_200_000],
    ['19h24m', 69_840_000],
  ])('%s is %i ms', (t, ms) => expect(parseDurationMs(t)).toBe(ms));
  test.each(['', '0s', '10', 's', '-1s', '1.5s', '10s ', '1s!', '1 s'])('%j is refused', (t) =>
    expect(() => parseDurationMs(t)).toThrow(),
  );
});

test('keys are 32 bytes, ranges are CIDRs', () => {
  const keys = { keys: base64Keys('KEYS') };
  const [one, two] = [1, 2].map((byte) => Buffer.alloc(32, byte));
  const both = `${one!.toString('base64')}, ${two!.toString('base64')}`;
  expect(readConfig(keys, { KEYS: both }).settings.keys).toEqual([one, two]);
  expect(readConfig(keys, { KEYS: both }).masked).toEqual({ KEYS: '***' });
  expect(() => readConfig(keys, { KEYS: ',' })).toThrow('KEYS: expected at least one key');
  expect(() => readConfig(keys, { KEYS: `${both},c2hvcnQ=` })).toThrow('KEYS: expected 32 bytes');
  const ranges = { proxies: cidrs('PROXIES') };
  const { proxies } = readConfig(ranges, { PROXIES: '10.0.0.0/8, ::1' }).settings;
  expect([proxies.check('10.1.2.3'), proxies.check('11.0.0.1')]).toEqual([true, false]);
  expect(proxies.check('::1', 'ipv6')).toBe(true);
  for (const bad of ['10.0.0.0/33', 'ten', '::1/129', '10.0.0.0/'])
    expect(() => readConfig(ranges, { PROXIES: bad })).toThrow(ConfigError);
});

describe('a setting with a value for each cell', () => {
  const parse = (t: string) => [...byCell(list('HOSTS', (one) => one)).parse(t)];

  test.each([
    ['a,b', [['main', ['a', 'b']]]],
    [
      'main=a,b;north=c',
      [
        ['main', ['a', 'b']],
        ['north', ['c']],
      ],
    ],
    ['main=a=b', [['main', ['a=b']]]],
  ])('%s', (t, cells) => expect(parse(t)).toEqual(cells));

  test.each([
    ['north=a', 'the cell main first'],
    ['main=a;main=b', 'once'],
    ['main=a;b', 'once'],
    ['main=a;North=b', 'once'],
  ])('%s is rejected', (t, reason) => expect(() => parse(t)).toThrow(reason));

  test('a fallback is that of the main cell, and the log shows each value without a password', () => {
    const urls = byCell(url('DATABASES', ['postgres'], { fallback: '' }));
    expect([...urls.fallback!]).toEqual([['main', '']]);
    const text = 'main=postgres://a:secret@h/d;north=postgres://b:hidden@h/d';
    expect(readConfig({ urls }, { DATABASES: text }).masked).toEqual({
      DATABASES: { main: 'postgres://a:***@h/d', north: 'postgres://b:***@h/d' },
    });
  });
});
