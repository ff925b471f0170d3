import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isAlive } from '@pto/stores';
import { until } from '@pto/testing';
import { createOrder, liveOrder } from '../load.ts';
import {
  type LocalStack,
  settled,
  stackFolder,
  startLocalStack,
  unlimited,
} from '../local-stack.ts';
import { everyOrder, expectDelivered, expectWholeLives } from '../proof.ts';
import { startReceiver } from '../receiver.ts';

const options = {
  dir: stackFolder(),
  args: ['--no-demo', '--replicas', 'gateway=2,orders=2'],
  env: { ...unlimited, WEBHOOKS_RETRY_WAITS: '2s,2s,2s,2s,20s' },
};
let stack: LocalStack;
beforeAll(async () => {
  stack = await startLocalStack(options);
}, 100_000);
afterAll(async () => {
  await stack?.stop();
  stack?.forget();
});

const pidsOf = (): number[] => {
  const { services, stores } = stack.file();
  return [...services.map((service) => service.pid), ...Object.values(stores.pids)];
};

test('after SIGKILL of the launcher no process lives on, and the next start finds every order, chain and delivery', async () => {
  const receiver = await startReceiver(stack);
  await receiver.subscribe();
  receiver.state.status = 500;
  const id = await liveOrder(stack, 'survivor');
  const pids = pidsOf();
  process.kill(stack.pid, 'SIGKILL');
  // PostgreSQL and Kafka may take 20 s to stop
  await until(() => pids.every((pid) => !isAlive(pid)), { what: 'all processes to be gone' });
  receiver.received.length = 0;
  receiver.state.status = 204;

  stack = await startLocalStack(options);
  await expectWholeLives(stack, [id]);
  await expectDelivered(receiver, [id]);
  await receiver.stop();
}, 180_000);

test('SIGTERM to a service under load loses no answered request, and Ctrl-C ends all', async () => {
  const before = (await everyOrder(stack)).length;
  const ids: string[] = [];
  let loading = true;
  const load = [0, 1, 2, 3].map(async (lane) => {
    for (let n = 0; loading; n++) ids.push(await createOrder(stack, `term-${lane}-${n}`));
  });
  for (const name of ['orders', 'gateway', 'custody', 'webhooks']) {
    const enough = ids.length + 12;
    await until(() => ids.length > enough, { what: 'load' });
    const service = stack.file().services.find((one) => one.name === name)!;
    process.kill(service.pid, 'SIGTERM');
    await until(() => !isAlive(service.pid), {
      deadlineMs: 10_000,
      what: `${name} to have stopped`,
    });
    const ending = new RegExp(`${name}\\S* ended \\(0\\)`);
    await until(() => ending.test(stack.output()), {
      what: `the launcher to have seen ${name} end with 0`,
    });
  }
  loading = false;
  await Promise.all(load);
  await settled(stack);
  const there = new Set((await everyOrder(stack)).map((order) => order.id));
  expect(ids.filter((id) => !there.has(id))).toEqual([]);
  expect(there.size).toBe(before + ids.length);
  const pids = pidsOf();
  expect(pids.length).toBeGreaterThanOrEqual(7);
  expect(await stack.stop()).toBe(0);
  expect(pids.filter(isAlive)).toEqual([]);
}, 180_000);
