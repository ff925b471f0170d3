import { expect, test } from '@jest/globals';
import { freePorts, reservePort } from '../src/ports.ts';

test('what was given to one is given to nobody else, though nobody listens there yet', async () => {
  const ports = await freePorts(20);
  expect(new Set(ports).size).toBe(20);
  const again = await Promise.all(ports.map(reservePort));
  expect(again.filter((given) => given)).toEqual([]);
});
