/** The heaviest requests that the contract allows, with the default settings (decision 66). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Mesh, startMesh } from '../mesh.ts';
import { orderBody, partner } from '../partner.ts';

const writes = 60;
const reads = 600;
const lanes = 8;

let mesh: Mesh;
beforeAll(async () => {
  mesh = await startMesh({ kafka: false });
}, 100_000);
afterAll(async () => {
  await mesh?.stop();
  mesh?.forget();
});

/** An order whose body has almost the given number of KiB. */
const orderOf = (kibibytes: number) => {
  const item = { goods_type: 'blood plasma, frozen' };
  const count = Math.floor((kibibytes * 1024 - 500) / (JSON.stringify(item).length + 1));
  return orderBody({ items: Array<typeof item>(count).fill(item) });
};

test('a large order is followed by any request, and eight orders of 36 KiB by each other', async () => {
  const { get, post } = partner(mesh, mesh.file().organizations[1]!.keys.all);
  const statuses: number[] = [];
  const note = async (answer: Promise<{ status: number }>) => statuses.push((await answer).status);
  for (let n = 0; n < 4; n++) {
    await note(post('/orders', orderOf(253)));
    await note(get('/ping'));
  }
  await note(get('/orders?limit=5'));
  await note(get('/ping'));
  for (let n = 0; n < 8; n++) await note(post('/orders', orderOf(36)));
  expect(statuses.filter((status) => status > 299)).toEqual([]);
});

test('60 orders of 250 KiB at once and 600 pages of them by one key are all accepted', async () => {
  const { get, post } = partner(mesh);
  const heavy = orderOf(250);
  const left = { reads };
  const statuses: Record<string, number> = {};
  const count = (name: string) => {
    statuses[name] = (statuses[name] ?? 0) + 1;
  };
  const write = async () => count(`POST ${(await post('/orders', heavy)).status}`);
  const read = async () => {
    while (left.reads-- > 0) count(`GET ${(await get('/orders?limit=100')).status}`);
  };
  const allWrites = Array.from({ length: writes }, write);
  await Promise.all([...allWrites, ...Array.from({ length: lanes }, read)]);
  expect(statuses).toEqual({ 'POST 201': writes, 'GET 200': reads });
}, 200_000);
