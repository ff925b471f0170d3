/** The heaviest requests that the contract allows, with the default settings (decision 66). */
import { expect, test } from '@jest/globals';
import { inLanes } from '../load.ts';
import { orderBody, partner } from '../partner.ts';
import { ownStack } from './test-stack.ts';

const writes = 60;
const reads = 600;
const lanes = 8;

const stack = ownStack({ kafka: false });

/** An order whose body has almost the given number of KiB. */
const orderOf = (kibibytes: number) => {
  const item = { goods_type: 'blood plasma, frozen' };
  const count = Math.floor((kibibytes * 1024 - 500) / (JSON.stringify(item).length + 1));
  return orderBody({ items: Array<typeof item>(count).fill(item) });
};

test('a large order is followed by any request, and eight orders of 36 KiB by each other', async () => {
  const { get, post } = partner(stack, stack.file().organizations[1]!.keys.all);
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
  const { baseUrl, organizations } = stack.file();
  const headers = {
    authorization: `Bearer ${organizations[0]!.keys.all}`,
    'content-type': 'application/json',
  };
  const statuses: Record<string, number> = {};
  // the bodies of the responses, 600 MiB, are read and not parsed
  const send = async (method: string, path: string, body?: string) => {
    const response = await fetch(`${baseUrl}${path}`, { method, headers, ...(body && { body }) });
    await response.bytes();
    const name = `${method} ${response.status}`;
    statuses[name] = (statuses[name] ?? 0) + 1;
  };
  const heavy = JSON.stringify(orderOf(250));
  await Promise.all([
    inLanes(writes, writes, () => send('POST', '/orders', heavy)),
    inLanes(reads, lanes, () => send('GET', '/orders?limit=100')),
  ]);
  expect(statuses).toEqual({ 'POST 201': writes, 'GET 200': reads });
}, 200_000);
