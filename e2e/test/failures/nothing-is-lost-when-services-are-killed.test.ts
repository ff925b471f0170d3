/** `ORDERS=200 ROUNDS=3 npm test -- nothing-is-lost` for longer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inLanes, liveOrder } from '../../load.ts';
import { type Mesh, settled, startMesh } from '../../mesh.ts';
import { expectDelivered, expectWholeLives } from '../../proof.ts';
import { type Receiver, startReceiver } from '../../receiver.ts';

const orderCount = Number(process.env.ORDERS ?? 40);
const kills = ['orders', 'custody', 'webhooks', 'gateway'];
const rounds = Number(process.env.ROUNDS ?? 1);

let mesh: Mesh;
let receiver: Receiver;
beforeAll(async () => {
  mesh = await startMesh({
    env: {
      GATEWAY_READS_PER_MINUTE: '100000',
      GATEWAY_WRITES_PER_MINUTE: '100000',
      GATEWAY_REQUESTS_IN_FLIGHT: '1000',
      WEBHOOKS_ATTEMPT_TIMEOUT: '2s',
      WEBHOOKS_RETRY_WAITS: '500ms,1s,2s,5s,10s',
    },
  });
  receiver = await startReceiver(mesh);
});
afterAll(async () => {
  await receiver?.stop();
  await mesh?.stop();
  mesh?.forget();
});

test('orders are created and walked while each service is killed', async () => {
  await receiver.subscribe();

  const killing = (async () => {
    for (let n = 0; n < rounds * kills.length; n++) {
      await sleep(2000); // the pace of the attack, not a wait for anything
      const name = kills[n % kills.length];
      for (const service of mesh.file().services)
        if (service.name === name) process.kill(service.pid, 'SIGKILL');
    }
  })();
  const ids: string[] = [];
  await inLanes(orderCount, 4, async (n) => {
    ids.push(await liveOrder(mesh, `kill-${n}`));
  });
  await killing;
  await settled(mesh);

  expect(new Set(ids).size).toBe(orderCount);
  await expectWholeLives(mesh, ids);
  await expectDelivered(receiver, ids);
}, 240_000);
