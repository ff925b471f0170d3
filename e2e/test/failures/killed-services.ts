/** Services are killed with SIGKILL at random moments, and nothing that was answered is lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { verifyChain } from '@pto/custody-verifier';
import { Failure } from '@pto/errors';
import { until } from '@pto/testing';
import type { Clients } from '../../../operator/src/clients.ts';
import { asSuperuser } from '../../as-superuser.ts';
import { eventsOfALife } from '../../deliveries.ts';
import { killOne, signalAll } from '../../kill.ts';
import { createOrder, inLanes, liveOrder } from '../../load.ts';
import { type LocalStack, settled } from '../../local-stack.ts';
import { operator, operatorClients } from '../../operator.ts';
import { type Answer, orderBody, partner } from '../../partner.ts';
import { expectDelivered, expectWholeLives, ledgerSize } from '../../proof.ts';
import { type Receiver, startReceiver } from '../../receiver.ts';
import { size } from '../experiments.ts';

export const killedServices = (stack: LocalStack): void => {
  const lives = size(8, 200);
  /** One process of each is killed in turn, webhooks more often than the others. */
  const victims = ['orders', 'webhooks', 'custody', 'webhooks', 'gateway'];
  const endpointCount = size(3, 6);

  const waves = size(1, 10);
  const orderCount = 12;
  const commandsPerOrder = 8;
  /** Attacks of a wave; after them every command is repeated until it succeeds. */
  const attacksMax = size(2, 3);
  const patienceMs = 150_000;

  const createdAtOnce = size(24, 40);
  /** Number of responses that must have been lost after their order was committed. */
  const lostMin = size(1, 10);
  const roundsMax = 30 * lostMin;
  /** A victim without a request under way is killed after this time. */
  const committedWithinMs = 1000;

  test('every order, chain and delivery is complete although each service is killed', async () => {
    const receivers = await Promise.all(
      Array.from({ length: endpointCount }, () => startReceiver(stack)),
    );
    const endpointIds = new Map<Receiver, string>();
    for (const receiver of receivers)
      endpointIds.set(receiver, (await receiver.subscribe()).body.id);
    const before = await ledgerSize(stack);
    let done = false;
    const killing = (async () => {
      for (let n = 0; n < victims.length || !done; n++) {
        await sleep(300 + Math.random() * 700); // the pace of the attack, not a wait for anything
        killOne(stack, victims[n % victims.length]!);
        await settled(stack);
      }
    })();
    const ids: string[] = [];
    await inLanes(lives, 8, async (n) => {
      ids.push(await liveOrder(stack, `life-${n}`));
    });
    done = true;
    await killing;
    await expectWholeLives(stack, ids, before);

    const numbers = Array.from({ length: ids.length * eventsOfALife }, (_, n) => n + 1);
    for (const receiver of receivers) {
      await expectDelivered(receiver, ids, 120_000);
      expectDuplicatesAreEqual(receiver);
      await expectOrder(receiver, endpointIds.get(receiver)!);
      const stream = [...new Set(receiver.received.map(({ body }) => body.sequence as number))];
      expect(stream.toSorted((a, b) => a - b)).toEqual(numbers);
    }

    for (const receiver of receivers) {
      const path = `/webhooks/${endpointIds.get(receiver)}`;
      expect((await partner(stack).call('DELETE', path)).status).toBe(204);
      await receiver.stop();
    }
  }, 280_000);

  /** Each order's events are first tried in their order, whenever the receiver reads them. */
  const expectOrder = async (receiver: Receiver, endpointId: string): Promise<void> => {
    const inOrder = Array.from({ length: eventsOfALife }, (_, n) => n + 1);
    const byOrder = Map.groupBy(receiver.received, ({ body }) => body.data.order.id as string);
    for (const events of byOrder.values()) {
      const came = [...new Set(events.map(({ body }) => body.data.order.sequence as number))];
      if (`${came}` !== `${inOrder}`) expect(await firstTries(endpointId, events)).toEqual(inOrder);
    }
  };

  /** Returns the sequences of an order's events, by the times of their first attempts. */
  const firstTries = async (endpointId: string, events: Receiver['received']) => {
    const sequences = new Map(events.map((one) => [one.delivery, one.body.data.order.sequence]));
    const tries = [...sequences].map(async ([delivery, sequence]) => {
      const { body } = await partner(stack).get(`/webhooks/${endpointId}/deliveries/${delivery}`);
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

  /** Commands that leave the status as it is may come in any order: each leaves one entry. */
  type Send = (
    orders: Clients['orders'],
    circumstances: { orderId: string; payloadJson: string },
  ) => Promise<unknown>;
  const kinds: readonly Send[] = [
    (orders, circumstances) => orders.reportIncident({ circumstances, note: 'dropped' }),
    (orders, circumstances) => orders.escalateOrder({ circumstances, note: 'late' }),
    (orders, circumstances) => orders.updateOrder({ circumstances, priceTotal: '12.50' }),
  ];
  /** Kinds of failures that leave open whether the command was executed. */
  const lost = new Set(['SERVICE_UNAVAILABLE', 'DEADLINE_EXCEEDED', 'INTERNAL']);

  test('every chain agrees with its order although orders and custody are killed', async () => {
    const before = (await operator(stack, 'ledger', 'verify')).json as { orders: number } | null;
    const names = Array.from({ length: orderCount }, (_, n) => `command-${n}`);
    const ids = await Promise.all(names.map((name) => createOrder(stack, name)));
    const marks = { answered: new Set<string>(), unanswered: new Set<string>() };
    let killed = 0;
    for (let wave = 0; wave < waves; wave++) {
      const killing = startKilling(() => marks.answered.size);
      const commands = ids.flatMap((id) =>
        Array.from({ length: commandsPerOrder }, (_, n) => command(marks, id, wave, n)),
      );
      await Promise.all(commands);
      killed += await killing.stop();
    }
    expect(killed).toBeGreaterThan(0);
    await settled(stack);
    await custodyHasAll(ids);

    const seen: string[] = [];
    for (const id of ids) {
      // the gateway may still respond 503 while it connects to a custody that has just started
      const { body } = await until(
        async () => {
          const answer = await partner(stack).get(`/orders/${id}/events`);
          return answer.status === 200 ? answer : undefined;
        },
        { what: `the history of ${id}` },
      );
      expect(verifyChain(id, body).valid).toBe(true);
      for (const { payload } of body)
        if (payload?.reference !== undefined) seen.push(payload.reference);
    }
    // once each: all commands with a response, and of the others at most what was sent
    expect(new Set(seen).size).toBe(seen.length);
    expect([...marks.answered].filter((mark) => !seen.includes(mark))).toEqual([]);
    const sent = new Set([...marks.answered, ...marks.unanswered]);
    expect(seen.filter((mark) => !sent.has(mark))).toEqual([]);
    expect(marks.answered.size).toBe(waves * orderCount * commandsPerOrder);
    expect(await operator(stack, 'ledger', 'verify')).toMatchObject({
      code: 0,
      json: { valid: true, orders: (before?.orders ?? 0) + orderCount },
    });
  }, 280_000);

  /** Sends one command under another mark each time until it has a response. */
  const command = async (
    { answered, unanswered }: { answered: Set<string>; unanswered: Set<string> },
    orderId: string,
    wave: number,
    n: number,
  ): Promise<void> => {
    const end = performance.now() + patienceMs;
    for (let attempt = 1; performance.now() < end; attempt++) {
      const mark = `${orderId} ${wave} ${n} ${attempt}`;
      unanswered.add(mark);
      try {
        const circumstances = { orderId, payloadJson: JSON.stringify({ reference: mark }) };
        await kinds[n % kinds.length]!(operatorClients(stack).orders, circumstances);
        unanswered.delete(mark);
        answered.add(mark);
        return;
      } catch (error) {
        if (!(error instanceof Failure) || !lost.has(error.kind)) throw error;
      }
      await sleep(250);
    }
    throw new Error('no answer to a command');
  };

  /** Kills one or both at random moments until stopped. @returns the number of killed processes. */
  const startKilling = (answered: () => number): { stop(): Promise<number> } => {
    let [on, killed] = [true, 0];
    const running = (async () => {
      for (let attack = 0; on && attack < attacksMax; attack++) {
        const before = answered();
        await sleep(50 + Math.random() * 400); // the pace of the attack, not a wait for anything
        for (const name of ['orders', 'custody'])
          if ((attack === 0 || Math.random() < 0.6) && killOne(stack, name)) killed++;
        await settled(stack);
        // callers connect again in their own time: on a slow machine not before the next kill
        await until(() => !on || answered() > before, {
          what: 'a command that is answered between two kills',
        });
      }
    })();
    return {
      stop: async () => {
        on = false;
        await running;
        return killed;
      },
    };
  };

  /** Waits until custody has reported each order's last event to orders. */
  const custodyHasAll = async (ids: readonly string[]): Promise<void> => {
    const text =
      'select 1 from orders where id = any ($1::uuid[]) and custody_sequence <> sequence limit 1';
    await asSuperuser(stack, 'orders', (client) =>
      until(async () => (await client.query(text, [ids])).rows.length === 0, {
        deadlineMs: 60_000,
        what: 'every chain to be as long as its order',
      }),
    );
  };

  /** The response that a partner gets who repeats the request until it has one. */
  const insist = (what: string, send: () => Promise<Answer>): Promise<Answer> =>
    until(
      async () => {
        const answer = await send().catch(() => null);
        const code = answer?.body?.error?.code;
        const isFinal = answer && answer.status < 500 && code !== 'IDEMPOTENCY_IN_PROGRESS';
        return isFinal ? answer : null;
      },
      { deadlineMs: 60_000, what: `a response to ${what}` },
    );

  test.each(['gateway', 'orders'])(
    'the same key creates one order although the response died with %s',
    (victim) =>
      withSlowCommits(async () => {
        let lost = 0;
        for (let round = 0; lost < lostMin && round < roundsMax; round++)
          lost += await loseResponses(victim, `${victim}-${round}`);
        expect(lost).toBeGreaterThanOrEqual(lostMin);
      }),
    240_000,
  );

  test.each([
    // webhooks ends the handshake and stores the response, which the partner has not received
    { victim: 'gateway', replayed: 'true' },
    // nobody stored a response: the repetition runs the handshake again
    { victim: 'webhooks', replayed: null },
  ])(
    'the secret of an endpoint is not lost although the response died with $victim',
    async ({ victim, replayed }) => {
      const receiver = await startReceiver(stack);
      const create = () =>
        partner(stack).post('/webhooks', { url: receiver.url }, { 'idempotency-key': victim });
      const { promise, resolve } = Promise.withResolvers<void>();
      receiver.state.held = promise;
      const first = create().catch(() => null);
      await until(() => receiver.state.handshakes > 0, { what: 'the handshake' });
      signalAll(stack, victim, 'SIGKILL');
      expect((await first)?.status ?? 503).toBe(503);
      resolve();
      const answer = await insist(victim, create);
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, replayed]);
      expect(answer.body).toMatchObject({ status: 'ENABLED', handshake: { ok: true } });
      const again = await insist(victim, create);
      expect([again.headers.get('idempotency-replayed'), again.text]).toEqual([
        'true',
        answer.text,
      ]);
      const { body: listed } = await partner(stack).get('/webhooks');
      expect(listed.map(({ id }: { id: string }) => id)).toEqual([answer.body.id]);
      // the secret is the one that signs
      const { id, secret } = answer.body;
      receiver.state.secret = secret;
      const sent = await partner(stack).post(`/webhooks/${id}/test`);
      expect(sent.body).toMatchObject({ delivered: true });
      expect(await receiver.received.at(-1)!.signed).toBe(true);
      expect((await partner(stack).call('DELETE', `/webhooks/${id}`)).status).toBe(204);
      await receiver.stop();
      await settled(stack);
    },
    120_000,
  );

  /** Commits of orders take 100 ms: a process killed meanwhile has created one and not responded. */
  const withSlowCommits = async (work: () => Promise<void>): Promise<void> => {
    const run = (...statements: string[]) =>
      asSuperuser(stack, 'orders', async (client) => {
        for (const statement of statements) await client.query(statement);
      });
    await run(
      `create function last_100_ms() returns trigger language plpgsql as $$
      begin perform pg_sleep(0.1); return null; end $$`,
      `create constraint trigger last_100_ms after insert on orders
      deferrable initially deferred for each row execute function last_100_ms()`,
    );
    try {
      await work();
    } finally {
      await run('drop trigger last_100_ms on orders', 'drop function last_100_ms');
    }
  };

  /** Kills the victim among creations and repeats them all. @returns the number of lost responses. */
  const loseResponses = async (victim: string, round: string): Promise<number> => {
    const keys = Array.from({ length: createdAtOnce }, (_, n) => `${round}-${n}`);
    const create = (key: string) =>
      partner(stack).post('/orders', orderBody({ external_id: key }), { 'idempotency-key': key });
    const killedAfter = Math.ceil(Math.random() * 8);
    let [ended, made] = [0, 0];
    let killed: Promise<void> | undefined;
    const first = await Promise.all(
      keys.map(async (key) => {
        const answer = await create(key).catch(() => null);
        if (answer?.status === 201) made++;
        if (++ended === killedAfter) killed = killOwing(victim, round, () => made);
        return answer;
      }),
    );
    await killed;
    const insisted = await Promise.all(keys.map((key) => insist(key, () => create(key))));
    let lost = 0;
    for (const [n, answer] of insisted.entries()) {
      const before = first[n]?.status === 201 ? first[n] : null;
      const replayed = answer.headers.get('idempotency-replayed') === 'true';
      expect({ key: keys[n], status: answer.status }).toEqual({ key: keys[n], status: 201 });
      if (before) expect([replayed, answer.text]).toEqual([true, before.text]);
      else if (replayed) lost++;
    }
    const listed = await Promise.all(
      keys.map((key) => partner(stack).get(`/orders?external_id=${key}`)),
    );
    expect(listed.map(({ body }) => body.data.map(({ id }: { id: string }) => id))).toEqual(
      insisted.map(({ body }) => [body.id]),
    );
    await settled(stack);
    return lost;
  };

  /** Stops the victim amid its requests, and kills it once it has a commit without a response. */
  const killOwing = async (
    victim: string,
    round: string,
    answered: () => number,
  ): Promise<void> => {
    signalAll(stack, victim, 'SIGSTOP');
    await asSuperuser(stack, 'orders', async (client) => {
      const committed = async () => {
        const text = 'select 1 from orders where external_id like $1';
        return (await client.query(text, [`${round}-%`])).rows.length;
      };
      await until(async () => (await committed()) > answered(), {
        deadlineMs: committedWithinMs,
        what: 'an order without an answer',
      }).catch(() => null);
    });
    signalAll(stack, victim, 'SIGKILL');
  };
};
