import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { inLanes, liveOrder } from '../load.ts';
import { type Mesh, settled } from '../mesh.ts';
import { partner } from '../partner.ts';
import { eventsOfALife, expectDelivered, expectWholeLives } from '../proof.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { type Killed, killOne } from './stack.ts';

const orderCount = Number(process.env.LIVES ?? 16);
const endpointCount = 6;
/** One process of each is killed in turn, webhooks more often than the others. */
const victims = ['orders', 'webhooks', 'custody', 'webhooks', 'gateway', 'webhooks'];

/** Orders go through their lives while each service is killed. */
export const testLives = (stack: Killed): void =>
  test('every order, chain and delivery is complete although each service is killed', async () => {
    const mesh = stack();
    const receivers = await Promise.all(
      Array.from({ length: endpointCount }, () => startReceiver(mesh)),
    );
    const endpointIds = new Map<Receiver, string>();
    for (const receiver of receivers)
      endpointIds.set(receiver, (await receiver.subscribe()).body.id);
    let done = false;
    const killing = (async () => {
      for (let n = 0; n < victims.length || !done; n++) {
        await sleep(500 + Math.random() * 1500); // the pace of the attack, not a wait for anything
        killOne(mesh, victims[n % victims.length]!);
        await settled(mesh);
      }
    })();
    const ids: string[] = [];
    await inLanes(orderCount, 8, async (n) => {
      ids.push(await liveOrder(mesh, `life-${n}`));
    });
    done = true;
    await killing;
    await expectWholeLives(mesh, ids);

    const numbers = Array.from({ length: ids.length * eventsOfALife }, (_, n) => n + 1);
    for (const receiver of receivers) {
      await expectDelivered(receiver, ids, 120_000);
      expectDuplicatesAreEqual(receiver);
      await expectOrder(mesh, receiver, endpointIds.get(receiver)!);
      const stream = [...new Set(receiver.received.map(({ body }) => body.sequence as number))];
      expect(stream.toSorted((a, b) => a - b)).toEqual(numbers);
    }

    for (const receiver of receivers) {
      const path = `/webhooks/${endpointIds.get(receiver)}`;
      expect((await partner(mesh).call('DELETE', path)).status).toBe(204);
      await receiver.stop();
    }
  }, 280_000);

/** Each order's events are first tried in their order, whenever the receiver reads them. */
const expectOrder = async (mesh: Mesh, receiver: Receiver, endpointId: string): Promise<void> => {
  const inOrder = Array.from({ length: eventsOfALife }, (_, n) => n + 1);
  const byOrder = Map.groupBy(receiver.received, ({ body }) => body.data.order.id as string);
  for (const events of byOrder.values()) {
    const came = [...new Set(events.map(({ body }) => body.data.order.sequence as number))];
    if (`${came}` !== `${inOrder}`)
      expect(await firstTries(mesh, endpointId, events)).toEqual(inOrder);
  }
};

/** Returns the sequences of an order's events, by the times of their first attempts. */
const firstTries = async (mesh: Mesh, endpointId: string, events: Receiver['received']) => {
  const sequences = new Map(events.map((one) => [one.delivery, one.body.data.order.sequence]));
  const tries = [...sequences].map(async ([delivery, sequence]) => {
    const { body } = await partner(mesh).get(`/webhooks/${endpointId}/deliveries/${delivery}`);
    const times = body.attempts.map(({ at }: { at: string }) => Date.parse(at));
    return { sequence, at: Math.min(...times) };
  });
  const tried = await Promise.all(tries);
  return tried.toSorted((a, b) => a.at - b.at).map(({ sequence }) => sequence);
};

/** An event that comes twice has the same bytes; `expectDelivered` compares the delivery ids. */
const expectDuplicatesAreEqual = ({ received }: Receiver): void => {
  const bytes = Map.groupBy(
    received,
    ({ body }) => `${body.data.order.id} ${body.data.order.sequence}`,
  );
  for (const same of bytes.values())
    expect(new Set(same.map(({ body }) => JSON.stringify(body))).size).toBe(1);
};
