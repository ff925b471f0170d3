import { expect, test } from '@jest/globals';
import type { Backends } from '../../src/backends.ts';
import { isBelow, pathFinder } from '../../src/routes/router.ts';
import { basePath, routeTable } from '../../src/routes/table.ts';

const table = routeTable({} as Backends, 'sandbox');
const find = pathFinder(table, basePath);

test.each(table.map(({ method, path }) => [method, path] as const))(
  '%s %s is found by its path, with or without a query',
  (method, path) => {
    const target = basePath + path.replaceAll(/:\w+/g, '7');
    for (const one of [target, `${target}?a=/b`, `${target}?`]) {
      expect(find(one)?.path).toBe(path);
      expect(find(one)?.rowOf(method)).toMatchObject({ method, path });
    }
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, '7']);
    expect(find(`${target}?x`)!.parameters).toEqual(Object.fromEntries(names));
  },
);

test.each([
  ['/ping', 'HEAD', 'ping'],
  ['/ping', 'POST', undefined],
  ['/ping', 'OPTIONS', undefined],
  ['/orders', 'POST', 'createOrder'],
])('%s supports %s as %s', (path, method, name) => {
  expect(find(basePath + path)!.rowOf(method)?.name).toBe(name);
});

test.each([
  '/api/partner/v1',
  '/api/partner/v1/',
  '/api/partner/v1/Ping',
  '/api/partner/v1/ping/',
  '/api/partner/v1//ping',
  '/api/partner/v1/ping#x',
  '/api/partner/v1/orders/',
  '/api/partner/v1/orders/1/',
  '/api/partner/v1/orders%2F1',
  '/api/partner/v1/orders/1%2fevents',
  '/api/partner/v1/%70ing',
  '/ping',
  '',
])('%s is no path', (target) => {
  expect(find(target)).toBeUndefined();
});

test('a parameter is decoded, and bytes that are not UTF-8 become U+FFFD', () => {
  const idOf = (text: string) => find(`${basePath}/orders/${text}`)!.parameters.order_id;
  expect(idOf('a%20b%C3%A9')).toBe('a bé');
  expect(idOf('%ff%41')).toBe('\ufffdA');
  expect(idOf('%zz')).toBe('%zz');
});

test.each([
  ['/api/partner/v1', true],
  ['/api/partner/v1/orders', true],
  ['/', false],
  ['/api', false],
  ['/api/partner/v1x', false],
  ['/docs', false],
])('whether %s is a path of the API: %s', (path, expected) => {
  expect(isBelow(basePath, path)).toBe(expected);
});
