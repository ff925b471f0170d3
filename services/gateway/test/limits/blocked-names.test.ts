import { expect, test } from '@jest/globals';
import { createBlockedNames } from '../../src/limits/blocked-names.ts';

const usage = { granted: false, used: 5, nextInMs: 100, fullInMs: 150 };

test('as many names are stored as the bound allows, and the one added first is dropped', () => {
  const blocked = createBlockedNames({ namesMax: 2 });
  blocked.add('a', usage, 0);
  blocked.add('b', usage, 0);
  expect(blocked.find('a', 1)).toBeDefined();
  blocked.add('c', usage, 0);
  expect(blocked.find('a', 1)).toBeUndefined();
  expect(blocked.find('b', 1)).toBeDefined();
  expect(blocked.find('c', 1)).toBeDefined();
});

test('a name that is added again counts as the newest', () => {
  const blocked = createBlockedNames({ namesMax: 2 });
  for (const name of ['a', 'b', 'a', 'c']) blocked.add(name, usage, 0);
  expect(blocked.find('a', 1)).toBeDefined();
  expect(blocked.find('b', 1)).toBeUndefined();
});

test('a name that is no longer blocked takes no place', () => {
  const blocked = createBlockedNames({ namesMax: 2 });
  blocked.add('a', { ...usage, nextInMs: 1000 }, 0);
  blocked.add('b', usage, 0);
  expect(blocked.find('b', 100)).toBeUndefined();
  blocked.add('c', usage, 100);
  expect(blocked.find('a', 100)).toBeDefined();
});
