/** `ORDERS=20 npm test -- every-event-reaches` has each producer make more. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { inLanes, liveOrder } from '../../load.ts';
import { type Mesh, settled, startMesh } from '../../mesh.ts';
import { partner } from '../../partner.ts';
import { type Receiver, startReceiver } from '../../receiver.ts';

const [producers, endpoints, eventsOfALife] = [20, 20, 9];
const killsMin = 3;
const ordersEach = Number(process.env.ORDERS ?? 1);

let mesh: Mesh;
const receivers: Receiver[] = [];
const endpointIds = new Map<Receiver, string>();
beforeAll(async () => {
  mesh = await startMesh({
    args: ['--no-demo', '--replicas', 'webhooks=2'],
    env: {
      GATEWAY_READS_PER_MINUTE: '100000',
      GATEWAY_WRITES_PER_MINUTE: '100000',
      GATEWAY_REQUESTS_IN_FLIGHT: '1000',
      // receivers of a busy test answer late at times: tried again soon, not after a minute
      WEBHOOKS_ATTEMPT_TIMEOUT: '4s',
      WEBHOOKS_RETRY_WAITS: '1s,2s,4s,8s,16s',
    },
  });
  for (let n = 0; n < endpoints; n++) receivers.push(await startReceiver(mesh));
}, 100_000);
afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  await mesh?.stop();
  mesh?.forget();
});

/** Sequences of an order's events, by when each was first tried, as its attempts tell. */
const inOrderOfTheirTries = async (endpointId: string, events: Receiver['received']) => {
  const sequences = new Map(events.map((one) => [one.delivery, one.body.data.order.sequence]));
  const tries = [...sequences].map(async ([delivery, sequence]) => {
    const { body } = await partner(mesh).get(`/webhooks/${endpointId}/deliveries/${delivery}`);
    return {
      sequence,
      at: Math.min(...body.attempts.map(({ at }: { at: string }) => Date.parse(at))),
    };
  });
  const tried = await Promise.all(tries);
  return tried.toSorted((a, b) => a.at - b.at).map(({ sequence }) => sequence);
};

test('20 producers, 20 endpoints, two deliverers, one of them killed every few seconds', async () => {
  for (const receiver of receivers) {
    const { body } = await receiver.subscribe();
    endpointIds.set(receiver, body.id);
  }
  let [done, kills] = [false, 0];
  const killing = (async () => {
    while (!done || kills < killsMin) {
      await sleep(1500 + Math.random() * 3000); // the pace of the attack, not a wait for anything
      const victims = mesh.file().services.filter(({ name }) => name === 'webhooks');
      const victim = victims[Math.floor(Math.random() * victims.length)]!;
      try {
        process.kill(victim.pid, 'SIGKILL');
        kills++;
      } catch {} // on its way up again
      await settled(mesh);
    }
  })();
  const ids: string[] = [];
  await inLanes(producers * ordersEach, producers, async (n) => {
    ids.push(await liveOrder(mesh, `produced-${n}`));
  });
  done = true;
  await killing;
  const wanted = ids.length * eventsOfALife;
  const seenBy = ({ received }: Receiver) =>
    new Set(received.map(({ body }) => `${body.data.order.id} ${body.data.order.sequence}`)).size;
  await until(() => receivers.every((receiver) => seenBy(receiver) === wanted), {
    deadlineMs: 120_000,
    what: `${wanted} events at each endpoint`,
  });

  let duplicates = 0;
  for (const receiver of receivers) {
    const { received } = receiver;
    const signed = await Promise.all(received.map((one) => one.signed));
    expect(signed).not.toContain(false);
    // duplicates only under the same delivery id, and with the same bytes
    const byEvent = Map.groupBy(received, ({ body }) => `${body.data.order.id} ${body.sequence}`);
    for (const same of byEvent.values()) {
      duplicates += same.length - 1;
      expect(new Set(same.map(({ delivery }) => delivery)).size).toBe(1);
      expect(new Set(same.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    }
    // each order's events come for the first time in their order
    const byOrder = Map.groupBy(received, ({ body }) => body.data.order.id as string);
    for (const events of byOrder.values()) {
      const inOrder = Array.from({ length: eventsOfALife }, (_, n) => n + 1);
      const came = [...new Set(events.map(({ body }) => body.data.order.sequence as number))];
      // one that timed out before it was read comes later than it was tried
      if (`${came}` !== `${inOrder}`)
        expect(await inOrderOfTheirTries(endpointIds.get(receiver)!, events)).toEqual(inOrder);
    }
    // and the endpoint's stream has no gap
    const stream = new Set(received.map(({ body }) => body.sequence as number));
    expect([Math.min(...stream), Math.max(...stream), stream.size]).toEqual([1, wanted, wanted]);
  }
  process.stdout.write(
    `${wanted * endpoints} deliveries, ${duplicates} duplicates, ${kills} kills\n`,
  );
}, 280_000);
