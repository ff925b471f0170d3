import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { asSuperuser } from '../as-superuser.ts';
import { type Mesh, settled } from '../mesh.ts';
import { type Answer, orderBody, partner } from '../partner.ts';
import { startReceiver } from '../receiver.ts';
import { type Killed, signal } from './stack.ts';

const atOnce = 40;
/** Number of responses that must have been lost after their order was committed. */
const lostMin = Number(process.env.LOST_MIN ?? 1);
const roundsMax = 30 * lostMin;
/** A victim without a request under way is killed after this time. */
const committedWithinMs = 1000;

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

/** A partner repeats requests whose response died with a service. */
export const testLostResponses = (stack: Killed): void => {
  test.each(['gateway', 'orders'])(
    'the same key creates one order although the response died with %s',
    (victim) =>
      withSlowCommits(stack(), async () => {
        let lost = 0;
        for (let round = 0; lost < lostMin && round < roundsMax; round++)
          lost += await loseResponses(stack(), victim, `${victim}-${round}`);
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
      const mesh = stack();
      const receiver = await startReceiver(mesh);
      const create = () =>
        partner(mesh).post('/webhooks', { url: receiver.url }, { 'idempotency-key': victim });
      const { promise, resolve } = Promise.withResolvers<void>();
      receiver.state.held = promise;
      const first = create().catch(() => null);
      await until(() => receiver.state.handshakes > 0, { what: 'the handshake' });
      signal(mesh, victim, 'SIGKILL');
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
      const { body: listed } = await partner(mesh).get('/webhooks');
      expect(listed.map(({ id }: { id: string }) => id)).toEqual([answer.body.id]);
      // the secret is the one that signs
      const { id, secret } = answer.body;
      receiver.state.secret = secret;
      const sent = await partner(mesh).post(`/webhooks/${id}/test`);
      expect(sent.body).toMatchObject({ delivered: true });
      expect(await receiver.received.at(-1)!.signed).toBe(true);
      expect((await partner(mesh).call('DELETE', `/webhooks/${id}`)).status).toBe(204);
      await receiver.stop();
      await settled(mesh);
    },
    120_000,
  );
};

/** Commits of orders take 100 ms: a process killed meanwhile has created one and not responded. */
const withSlowCommits = async (mesh: Mesh, work: () => Promise<void>): Promise<void> => {
  const { superuser } = mesh.file().stores.postgres;
  const run = (...statements: string[]) =>
    asSuperuser(superuser, 'orders', async (client) => {
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
const loseResponses = async (mesh: Mesh, victim: string, round: string): Promise<number> => {
  const keys = Array.from({ length: atOnce }, (_, n) => `${round}-${n}`);
  const create = (key: string) =>
    partner(mesh).post('/orders', orderBody({ external_id: key }), { 'idempotency-key': key });
  const killedAfter = Math.ceil(Math.random() * 8);
  let [ended, made] = [0, 0];
  let killed: Promise<void> | undefined;
  const first = await Promise.all(
    keys.map(async (key) => {
      const answer = await create(key).catch(() => null);
      if (answer?.status === 201) made++;
      if (++ended === killedAfter) killed = killOwing(mesh, victim, round, () => made);
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
    keys.map((key) => partner(mesh).get(`/orders?external_id=${key}`)),
  );
  expect(listed.map(({ body }) => body.data.map(({ id }: { id: string }) => id))).toEqual(
    insisted.map(({ body }) => [body.id]),
  );
  await settled(mesh);
  return lost;
};

/** Stops the victim amid its requests, and kills it once it has a commit without a response. */
const killOwing = async (
  mesh: Mesh,
  victim: string,
  round: string,
  answered: () => number,
): Promise<void> => {
  signal(mesh, victim, 'SIGSTOP');
  await asSuperuser(mesh.file().stores.postgres.superuser, 'orders', async (client) => {
    const committed = async () => {
      const text = 'select 1 from orders where external_id like $1';
      return (await client.query(text, [`${round}-%`])).rows.length;
    };
    await until(async () => (await committed()) > answered(), {
      deadlineMs: committedWithinMs,
      what: 'an order without an answer',
    }).catch(() => null);
  });
  signal(mesh, victim, 'SIGKILL');
};
