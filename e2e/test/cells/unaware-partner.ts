/** A partner's client that uses all that must survive a move, and repeats no request. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@pto/testing';
import { startReader } from '../../event-reader.ts';
import type { LocalStack } from '../../local-stack.ts';
import { orderBody, partner } from '../../partner.ts';
import { proofsOf } from '../proven-proof.ts';

const pollMs = 100;
const remembered = { 'idempotency-key': 'before-the-move' };
const rememberedBody = orderBody({ external_id: 'before-the-move' });

/**
 * Begins before a move: creates an order with a key, takes a proof and a page of a list, and follows
 * the feed and the changes since the last poll.
 */
export const startUnawarePartner = async (stack: LocalStack) => {
  const { get, post } = partner(stack);
  const { provenProof, verdictOn } = proofsOf(stack);
  const first = await post('/orders', rememberedBody, remembered);
  assert.equal(first.status, 201);
  const { id } = first.body as { id: string };
  const proof = await provenProof(id, 1);
  // others create orders meanwhile: what is known is read before the page that is continued
  const known = await get('/orders?limit=100');
  const page = await get('/orders?limit=2');
  const reader = startReader(stack);

  const failures: string[] = [];
  /** The latest state of each order that a poll has shown. */
  const polled = new Map<string, string>();
  let [on, since] = [true, '1970-01-01T00:00:00Z'];
  const poll = async (): Promise<void> => {
    let [cursor, asOf]: [string | null, string] = [null, since];
    do {
      const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const gateways = stack.file().gateways.length;
      const path = `/orders?updated_since=${encodeURIComponent(since)}&limit=100${query}`;
      const { status, body, text } = await get(path, polled.size % gateways);
      if (status !== 200) return void failures.push(`${path}: ${status} ${text.slice(0, 200)}`);
      for (const order of body.data) polled.set(order.id, order.status);
      asOf = cursor === null ? body.as_of : asOf;
      cursor = body.next_cursor;
    } while (cursor !== null);
    since = asOf;
  };
  const polling = (async () => {
    while (on) {
      await poll();
      await sleep(pollMs);
    }
  })();

  polling.catch(() => {}); // `stop` rejects
  const stop = async (): Promise<void> => {
    on = false;
    await Promise.all([polling, reader.stop()]);
  };

  return {
    /** Ends the work. */
    stop,
    /** The order that was created before the move. */
    id,
    /** One line for each poll that failed. */
    failures: failures as readonly string[],
    feedStatuses: reader.statuses,
    /** What was taken before the move is still good. @throws Error */
    requireContinuity: async (): Promise<void> => {
      const again = await post('/orders', rememberedBody, remembered);
      assert.equal(again.headers.get('idempotency-replayed'), 'true');
      assert.equal(again.text, first.text);
      const next = await get(
        `/orders?limit=100&cursor=${encodeURIComponent(page.body.next_cursor)}`,
      );
      assert.equal(next.status, 200);
      const ids = (answer: typeof page): string[] =>
        answer.body.data.map((one: { id: string }) => one.id);
      const continued = [...ids(page), ...ids(next)];
      for (const one of ids(known)) assert.ok(continued.includes(one), `the list lacks ${one}`);
      for (const file of [proof, await provenProof(id, 1)])
        assert.equal((await verdictOn(file)).verdict, 'proven');
    },
    /**
     * Ends the work when all has come. @throws Error if the feed has a gap, or a poll missed that an order was closed.
     */
    finish: async (closed: readonly string[]): Promise<void> => {
      await until(() => closed.every((one) => polled.get(one) === 'CLOSED'), {
        what: 'each closed order in a poll',
        deadlineMs: 60_000,
      });
      const wanted = closed.length * 9;
      const ofClosed = () => reader.events.filter(({ orderId }) => closed.includes(orderId)).length;
      await until(() => ofClosed() >= wanted, {
        what: 'each event in the feed',
        deadlineMs: 60_000,
      });
      await stop();
      assert.equal(ofClosed(), wanted, 'each event once');
      assert.deepEqual(
        reader.events.map(({ number }) => number),
        reader.events.map((_, n) => n + 1),
        'the numbers of the feed have no gap',
      );
    },
  };
};
