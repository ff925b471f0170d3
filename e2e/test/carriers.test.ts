/** Carriers and drivers on the command line of a running stack. */
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { operator } from '../operator.ts';
import { orderBody, partner } from '../partner.ts';
import { sharedStack } from './test-stack.ts';

const stack = sharedStack();
const run = (...words: readonly string[]) => operator(stack, ...words);

test('orders are assigned to records by their names, to names alone, and to none without either', async () => {
  const name = `Couriers ${randomUUID().slice(0, 8)}`;
  const carrier = (await run('carrier', 'add', '--name', name)).json as { id: string };
  const added = await run('driver', 'add', '--carrier', name, '--name', 'Kim');
  const driver = added.json as { id: string };
  expect(driver).toMatchObject({ carrier_id: carrier.id, name: 'Kim', active: true });
  expect((await run('driver', 'list', '--carrier', name)).json).toEqual([driver]);

  const { id } = (await partner(stack).post('/orders', orderBody())).body;
  const none = await run('order', 'assign', id);
  expect([none.code, none.stderr]).toEqual([
    2,
    expect.stringContaining('give --to <name> or --carrier <name or id>'),
  ]);
  const assigned = await run('order', 'assign', id, '--carrier', name.toUpperCase());
  expect(assigned.json).toMatchObject({ transport_organization: name, carrier_id: carrier.id });
  await run('order', 'accept', id);
  const driven = await run('order', 'driver', id, '--driver', driver.id);
  expect(driven.json).toMatchObject({ driver: 'Kim', driver_id: driver.id });
  await run('order', 'release-driver', id);
  const alone = await run('order', 'driver', id, '--name', 'Robin');
  expect(alone.json).toMatchObject({ driver: 'Robin', driver_id: null, carrier_id: carrier.id });
  const body = (await partner(stack).get(`/orders/${id}`)).body;
  expect(JSON.stringify(body)).not.toContain(carrier.id);
  const entries = (await partner(stack).get(`/orders/${id}/events`)).body;
  expect(JSON.stringify(entries)).not.toMatch(new RegExp(`${carrier.id}|${driver.id}`));
  await partner(stack).post(`/orders/${id}/cancel`, { reason: 'over' });

  const ended = await run('carrier', 'change', name, '--state', 'inactive');
  expect(ended.json).toMatchObject({ id: carrier.id, active: false });
  expect(ended.stderr).toContain('Its active drivers (1) can be assigned when');
  const unknown = await run('carrier', 'change', randomUUID().slice(0, 8), '--state', 'active');
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('No carrier has')]);
});
