import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { orderBody, partner } from '../../../../e2e/partner.ts';
import { metricOf, whileScaledToNone } from '../../stage/local-stack.ts';
import { acknowledgeAll } from './acknowledge.ts';
import type { Scene } from './scene.ts';

const driver = 'Canary Kern';

/**
 * `orders` goes back: the operator gets the list of affected orders before the auditor flags one, an
 * erased value does not return, a step on a shortened order is parked, and each violation is
 * acknowledged.
 * @returns the ids of the affected orders.
 */
export const restoreOrdersEarlier = async (scene: Scene): Promise<ReadonlySet<string>> => {
  const { stage, stack, servers, partners, operator, moreClosed } = scene;
  const { get, post } = partner(stack);
  const anOrderAt = async (status: string): Promise<string> => {
    const { id } = (await post('/orders', orderBody())).body;
    await operator('order', 'walk', id, '--to', 'ACCEPTED');
    if (status === 'ACCEPTED') return id;
    await operator('order', 'driver', id, '--name', driver);
    await operator('order', 'walk', id, '--to', status);
    return id;
  };
  const [erased, shortened] = [await anOrderAt('CLOSED'), await anOrderAt('ACCEPTED')];
  const disclosed = async (): Promise<object[]> =>
    (await operator('order', 'show', erased)).json.disclosed;
  assert.equal((await disclosed()).length, 1);

  const underWay = partners.placed.filter(({ closed }) => !closed);
  const before = partners.placed.length;
  const time = await servers.orders.now();
  await operator('erase', '--order', erased, '--reason', 'rehearsal', '--yes');
  assert.deepEqual(await disclosed(), []);
  await operator('order', 'driver', shortened, '--name', driver);
  await moreClosed(6);
  await until(async () => (await metricOf(stack, 'orders', 'outbox_unsent')) === 0, {
    what: 'the events of the lost time on the bus',
  });
  await servers.orders.kill();
  const placedSince = partners.placed.slice(before);
  const affected = new Set<string>();
  await whileScaledToNone(stage, stack, ['auditor'], async () => {
    await whileScaledToNone(stage, stack, ['orders'], () => servers.orders.restore({ time }));
    const { code, json } = await operator('ledger', 'verify');
    assert.equal(code, 1);
    for (const fault of json.faults) affected.add(fault.order_id);
    assert.deepEqual((await operator('ledger', 'violations', '--state', 'open')).json, []);
  });
  const possible = [...underWay, ...placedSince].map(({ id }) => id).concat(erased, shortened);
  for (const id of affected) assert(possible.includes(id), `${id} is reported, and not affected`);
  const lost = [];
  for (const { id } of placedSince) if ((await get(`/orders/${id}`)).status === 404) lost.push(id);
  assert(lost.length > 0, 'orders of the lost time are gone');
  for (const id of [...lost, erased, shortened])
    assert(affected.has(id), `the list does not name ${id}`);
  stage.note(`  ${lost.length} orders are gone, ${affected.size - lost.length} are shortened`);

  await until(async () => (await disclosed()).length === 0, {
    what: 'the value to be erased again',
  });
  assert(!JSON.stringify((await get(`/orders/${erased}`)).body).includes(driver));
  const erasures = await operator('audit', 'list', '--action', 'ErasePersonalData');
  assert(JSON.stringify(erasures.json).includes(erased), 'the audit log names the erasure');

  stage.note('  a dispatcher who does not know of the restore takes a step');
  await operator('order', 'driver', shortened, '--name', 'another');
  const parked = () => operator('dlq', 'list');
  await until(async () => (await parked()).json.length === 1, { what: 'its event to be parked' });
  const [letter] = (await parked()).json;
  assert.match(letter.reason, /cannot follow entry/);
  assert.equal((await operator('dlq', 'replay', letter.id)).json.failed, letter.id);
  const why = ['--reason', `restore of orders to ${time}`, '--yes'];
  assert.equal((await operator('dlq', 'discard', letter.id, ...why)).code, 0);
  assert.deepEqual((await parked()).json, []);
  await moreClosed(3);
  await acknowledgeAll(scene, affected, `restore of orders to ${time}`);
  return affected;
};
