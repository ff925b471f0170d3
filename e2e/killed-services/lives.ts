import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { inLanes, liveOrder } from '../load.ts';
import { settled } from '../mesh.ts';
import { partner } from '../partner.ts';
import { expectWholeLives } from '../proof.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { type Killed, killOne } from './stack.ts';

const orderCount = Number(process.env.LIVES ?? 16);
const endpointCount = 6;
const eventsOfALife = 9;
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

    const wanted = ids.length * eventsOfALife;
    await until(() => receivers.every((receiver) => eventsAt(receiver).size === wanted), {
      deadlineMs: 120_000,
      what: `${wanted} events at each endpoint`,
    });
    for (const receiver of receivers) {
      expect(await Promise.all(receiver.received.map(({ signed }) => signed))).not.toContain(false);
      expectDuplicatesAreEqual(receiver);
      await expectOrder(receiver, endpointIds.get(receiver)!);
      const stream = [...new Set(receiver.received.map(({ body }) => body.sequence as number))];
      const numbers = Array.from({ length: wanted }, (_, n) => n + 1);
      expect(stream.toSorted((a, b) => a - b)).toEqual(numbers);
    }

    for (const receiver of receivers) {
      const path = `/webhooks/${endpointIds.get(receiver)}`;
      expect((await partner(mesh).call('DELETE', path)).status).toBe(204);
      await receiver.stop();
    }

    /** Each order's events are first tried in their order, whenever the receiver reads them. */
    async function expectOrder(receiver: Receiver, endpointId: string): Promise<void> {
      const inOrder = Array.from({ length: eventsOfALife }, (_, n) => n + 1);
      const byOrder = Map.groupBy(receiver.received, ({ body }) => body.data.order.id as string);
      for (const events of byOrder.values()) {
        const came = [...new Set(events.map(({ body }) => body.data.order.sequence as number))];
        if (`${came}` !== `${inOrder}`)
          expect(await firstTries(endpointId, events)).toEqual(inOrder);
      }
    }

    /** Sequences of an order's events, by the times of their first attempts. */
    async function firstTries(endpointId: string, events: Receiver['received']) {
      const sequences = new Map(events.map((one) => [one.delivery, one.body.data.order.sequence]));
      const tries = [...sequences].map(async ([delivery, sequence]) => {
        const { body } = await partner(mesh).get(`/webhooks/${endpointId}/deliveries/${delivery}`);
        const times = body.attempts.map(({ at }: { at: string }) => Date.parse(at));
        return { sequence, at: Math.min(...times) };
      });
      const tried = await Promise.all(tries);
      return tried.toSorted((a, b) => a.at - b.at).map(({ sequence }) => sequence);
    }
  }, 280_000);

const eventOf = ({ body }: Receiver['received'][number]) =>
  `${body.data.order.id} ${body.data.order.sequence}`;

const eventsAt = ({ received }: Receiver) => new Set(received.map(eventOf));

/** An event that comes twice has the same delivery id and the same bytes. */
const expectDuplicatesAreEqual = ({ received }: Receiver): void => {
  for (const same of Map.groupBy(received, eventOf).values()) {
    expect(new Set(same.map(({ delivery }) => delivery)).size).toBe(1);
    expect(new Set(same.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  }
};
