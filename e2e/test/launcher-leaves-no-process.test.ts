import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { createOrder, liveOrder } from '../load.ts';
import { type Mesh, meshFolder, settled, startMesh } from '../mesh.ts';
import { everyOrder, expectDelivered, expectWholeLives } from '../proof.ts';
import { startReceiver } from '../receiver.ts';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const pidsOf = (mesh: Mesh): number[] => {
  const { services, stores } = mesh.file();
  return [...services.map((service) => service.pid), ...Object.values(stores.pids)];
};

describe('after SIGKILL of the launcher', () => {
  let mesh: Mesh;
  const dir = meshFolder();
  const env = { WEBHOOKS_RETRY_WAITS: '5s,5s,5s,5s,20s' };
  beforeAll(async () => {
    mesh = await startMesh({ dir, env });
  });
  afterAll(async () => {
    await mesh?.stop();
    mesh?.forget();
  });

  test('no process lives on, and the next start finds every order, chain and delivery', async () => {
    const closed = await startReceiver(mesh);
    const { body } = await closed.subscribe();
    await closed.stop();
    const id = await liveOrder(mesh, 'survivor');
    const pids = pidsOf(mesh);
    process.kill(mesh.pid, 'SIGKILL');
    await until(() => pids.every((pid) => !isAlive(pid)), {
      deadlineMs: 15_000,
      what: 'all processes to be gone',
    });

    mesh = await startMesh({ dir, env });
    const receiver = await startReceiver(mesh, closed.port);
    receiver.state.secret = body.secret;
    await expectWholeLives(mesh, [id]);
    await expectDelivered(receiver, [id], 90_000);
    await receiver.stop();
  }, 180_000);
});

test('SIGTERM to a service under load loses no answered request, and Ctrl-C ends all', async () => {
  const mesh = await startMesh({
    args: ['--no-demo', '--replicas', 'gateway=2,orders=2'],
    env: {
      GATEWAY_WRITES_PER_MINUTE: '100000',
      GATEWAY_REQUESTS_IN_FLIGHT: '1000',
      GATEWAY_READS_PER_MINUTE: '100000',
    },
  });
  try {
    const ids: string[] = [];
    let loading = true;
    const load = [0, 1, 2, 3].map(async (lane) => {
      for (let n = 0; loading; n++) ids.push(await createOrder(mesh, `term-${lane}-${n}`));
    });
    for (const name of ['orders', 'gateway', 'custody', 'webhooks']) {
      const enough = ids.length + 12;
      await until(() => ids.length > enough, { what: 'load', deadlineMs: 30_000 });
      const service = mesh.file().services.find((one) => one.name === name)!;
      process.kill(service.pid, 'SIGTERM');
      await until(() => !isAlive(service.pid), {
        deadlineMs: 10_000,
        what: `${name} to have stopped`,
      });
      const ending = new RegExp(`${name}\\S* ended \\(0\\)`);
      await until(() => ending.test(mesh.output()), {
        what: `the launcher to have seen ${name} end with 0`,
      });
    }
    loading = false;
    await Promise.all(load);
    await settled(mesh);
    const there = new Set((await everyOrder(mesh)).map((order) => order.id));
    expect(ids.filter((id) => !there.has(id))).toEqual([]);
    expect(there.size).toBe(ids.length);
    const pids = pidsOf(mesh);
    expect(pids.length).toBeGreaterThanOrEqual(7);
    expect(await mesh.stop()).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
  } finally {
    await mesh.stop();
    mesh.forget();
  }
}, 180_000);
