/** The event feed on a running stack (decisions 65 and 68). */
import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { eventsOfALife } from '../../deliveries.ts';
import { startReader } from '../../event-reader.ts';
import { killOne } from '../../kill.ts';
import { createOrder, inLanes, liveOrder } from '../../load.ts';
import { type LocalStack, settled } from '../../local-stack.ts';
import { operatorClients } from '../../operator.ts';
import { partner } from '../../partner.ts';
import { startReceiver } from '../../receiver.ts';

export const eventFeed = (stack: LocalStack): void => {
  /** Longest time from a commit to the long poll that shows it; some 200 ms on a calm machine. */
  const wakesWithinMs = 3000;

  const get = (path: string, key?: string) => partner(stack, key).get(path);
  /** The number of the newest event. */
  const newest = async (key?: string): Promise<number> => {
    for (let after = 0; ; ) {
      const { body } = await get(`/events?after=${after}&limit=100`, key);
      after = body.next_after;
      if (!body.has_more) return after;
    }
  };

  test('each event is what its webhook was, with a number, a leaf and hashes', async () => {
    const receiver = await startReceiver(stack);
    const endpoint = await receiver.subscribe();
    const after = await newest();
    const id = await liveOrder(stack, 'feed-1');
    await until(() => receiver.received.length >= eventsOfALife, { what: 'the webhooks' });
    // webhooks do not wait for an entry's place in the log
    const body = await until(
      async () => {
        const page = (await get(`/events?after=${after}&limit=100`)).body;
        return page.data.length >= eventsOfALife ? page : undefined;
      },
      { what: 'the events' },
    );
    const delivered = receiver.received
      .map(({ body: { sequence: _, ...event } }) => event)
      .toSorted((a, b) => a.data.order.sequence - b.data.order.sequence);
    // biome-ignore lint/suspicious/noExplicitAny: a page as it came
    const data: any[] = body.data;
    expect(data.map(({ number: _, custody: __, ...event }) => event)).toEqual(delivered);
    const history = await get(`/orders/${id}/events`);
    expect(data.map(({ custody }) => [custody.id, custody.event_hash])).toEqual(
      history.body.map((entry: Record<string, string>) => [entry.id, entry.event_hash]),
    );
    expect(body.checkpoint).toMatch(/\n— /);
    await partner(stack).call('DELETE', `/webhooks/${endpoint.body.id}`);
    await receiver.stop();
  }, 60_000);

  test('an event of another organization never appears', async () => {
    const [one, other] = stack.file().organizations.map(({ keys }) => keys.all);
    const readers = [one, other].map((key) => startReader(stack, { key: key! }));
    const created = [new Set<string>(), new Set<string>()];
    await inLanes(20, 4, async (n) => {
      const key = n % 2 === 0 ? one! : other!;
      const { body } = await partner(stack, key).post('/orders', {
        pickup: { address_text: 'Charitéplatz 1, 10117 Berlin' },
        dropoff: { address_text: 'Marienplatz 1, 80331 München' },
        pickup_window_start: '2030-01-01T08:00:00Z',
      });
      created[n % 2]!.add(body.id);
    });
    const read = (n: number) => new Set(readers[n]!.events.map(({ orderId }) => orderId));
    for (const n of [0, 1]) {
      await until(() => [...created[n]!].every((id) => read(n).has(id)), { what: 'all events' });
      expect([...created[1 - n]!].filter((id) => read(n).has(id))).toEqual([]);
      await readers[n]!.stop();
      expect(readers[n]!.events.map(({ number }) => number)).toEqual(
        readers[n]!.events.map((_, at) => at + 1),
      );
    }
  }, 60_000);

  test('a long poll shows an event soon after its commit', async () => {
    const waits: number[] = [];
    for (let n = 0; n < 5; n++) {
      const after = await newest();
      const polled = get(`/events?after=${after}&wait=25`);
      const id = await createOrder(stack, `feed-wake-${n}`);
      const committed = performance.now();
      const { status, body } = await polled;
      waits.push(Math.round(performance.now() - committed));
      expect([status, body.data[0].data.order.id]).toEqual([200, id]);
    }
    process.stdout.write(`from a commit to the long poll: ${waits.join(', ')} ms\n`);
    expect(Math.max(...waits)).toBeLessThan(wakesWithinMs);
  }, 60_000);

  test('a reader gets each event once and in order although custody is killed while it waits', async () => {
    const after = await newest();
    const reader = startReader(stack, { after });
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) {
      killOne(stack, 'custody');
      ids.push(await createOrder(stack, `feed-kill-${n}`));
      await settled(stack);
      ids.push(await createOrder(stack, `feed-kill-after-${n}`));
    }
    await until(() => reader.events.length >= ids.length, { what: 'all events' });
    await reader.stop();
    expect(reader.events.map(({ number }) => number)).toEqual(ids.map((_, n) => after + n + 1));
    expect(new Set(reader.events.map(({ orderId }) => orderId))).toEqual(new Set(ids));
  }, 120_000);

  test('a key that is revoked while it waits gets no event', async () => {
    const { access } = operatorClients(stack);
    const { id: organizationId } = stack.file().organizations[0]!;
    const issued = await access.issueKey({ organizationId, scopes: ['orders:read'] });
    const after = await newest();
    const polled = get(`/events?after=${after}&wait=25`, issued.secret);
    await access.revokeKey({ id: issued.key!.id });
    await until(async () => (await get('/ping', issued.secret)).status === 401, {
      what: 'the revocation',
    });
    const id = await createOrder(stack, 'feed-revoked');
    const { status, body } = await polled;
    expect([status, body.error.code]).toEqual([401, 'API_KEY_REVOKED']);
    const isShown = async () =>
      (await get(`/events?after=${after}&limit=100`)).body.data.some(
        (event: { data: { order: { id: string } } }) => event.data.order.id === id,
      );
    await until(isShown, { what: 'the event, for those whose key is valid' });
  }, 60_000);

  test('clients that hang up leave their places to others', async () => {
    const authorization = `Bearer ${stack.file().organizations[0]!.keys.all}`;
    const after = await newest(); // no event ends the wait
    const path = `/api/partner/v1/events?after=${after}&wait=25`;
    const gone = new AbortController();
    const poll = async () => {
      while (!gone.signal.aborted)
        await fetch(`${stack.file().gateways[0]}${path}`, {
          headers: { authorization },
          signal: gone.signal,
        }).then(
          (response) => response.text(),
          () => null,
        );
    };
    const polls = Array.from({ length: 64 }, poll);
    // all places are taken: a further request does not wait
    const isEarly = async () => {
      const begun = performance.now();
      await get(`/events?after=${after}&wait=4`);
      return performance.now() - begun < 3000;
    };
    await until(isEarly, { what: 'a full replica', deadlineMs: 60_000 });
    gone.abort();
    await Promise.all(polls);
    await until(async () => !(await isEarly()), { what: 'a free place', deadlineMs: 60_000 });
  }, 150_000);
};
