/** `WAVES=20 npm test -- no-kill-parts` runs longer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { verifyChain } from '@pto/custody-verifier';
import { Failure } from '@pto/errors';
import { until } from '@pto/testing';
import pg from 'pg';
import type { Clients } from '../../../operator/src/clients.ts';
import { createOrder } from '../../load.ts';
import { type Mesh, settled, startMesh } from '../../mesh.ts';
import { operator, operatorClients } from '../../operator.ts';
import { partner } from '../../partner.ts';

const waves = Number(process.env.WAVES ?? 1);
const orderCount = 20;
const commandsPerOrder = 10;
/** Attacks of a wave; after them everything stays up, and every command is repeated until it succeeds. */
const attacksMax = 6;
const patienceMs = 150_000;
const unlimited = {
  GATEWAY_READS_PER_MINUTE: '100000',
  GATEWAY_WRITES_PER_MINUTE: '100000',
  GATEWAY_REQUESTS_IN_FLIGHT: '1000',
};

let mesh: Mesh;
beforeAll(async () => {
  mesh = await startMesh({ env: unlimited });
}, 100_000);
afterAll(async () => {
  await mesh?.stop();
  mesh?.forget();
});

/** Marks of commands that were answered, and of those whose answer was lost. */
const answered = new Set<string>();
const unanswered = new Set<string>();

/** What leaves the status as it is may come in any order: each one leaves one entry, marked. */
type Send = (
  orders: Clients['orders'],
  circumstances: { orderId: string; payloadJson: string },
) => Promise<unknown>;
const kinds: readonly Send[] = [
  (orders, circumstances) => orders.reportIncident({ circumstances, note: 'dropped' }),
  (orders, circumstances) => orders.escalateOrder({ circumstances, note: 'late' }),
  (orders, circumstances) => orders.updateOrder({ circumstances, priceTotal: '12.50' }),
];
/** Kinds of failures that leave open whether the command was carried out. */
const lost = new Set(['SERVICE_UNAVAILABLE', 'DEADLINE_EXCEEDED', 'INTERNAL']);

/** One command, sent again under another mark until it is answered. */
const command = async (orderId: string, wave: number, n: number): Promise<void> => {
  const send = kinds[n % kinds.length]!;
  const end = Date.now() + patienceMs;
  for (let attempt = 1; Date.now() < end; attempt++) {
    const mark = `${orderId} ${wave} ${n} ${attempt}`;
    const circumstances = { orderId, payloadJson: JSON.stringify({ mark }) };
    unanswered.add(mark);
    try {
      await send(operatorClients(mesh).orders, circumstances);
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

/** Kills one or both at random moments, a number of times or until stopped. @returns how many died. */
const killAtRandom = (): { stop(): Promise<number> } => {
  let [on, killed] = [true, 0];
  const running = (async () => {
    for (let attack = 0; on && attack < attacksMax; attack++) {
      const before = answered.size;
      await sleep(50 + Math.random() * 400); // the pace of the attack, not a wait for anything
      const victims = mesh.file().services.filter(({ name }) => /^(orders|custody)$/.test(name));
      for (const { pid } of victims)
        if (Math.random() < 0.6)
          try {
            process.kill(pid, 'SIGKILL');
            killed++;
          } catch {} // on its way up again
      // the launcher's pauses grow with every death that follows on another
      await settled(mesh);
      // callers connect again in their own time: on a slow machine not before the next kill
      await until(() => !on || answered.size > before, {
        deadlineMs: 30_000,
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

test('200 commands at once, orders and custody killed at random: every chain agrees with its order', async () => {
  const ids = await Promise.all(
    Array.from({ length: orderCount }, (_, n) => createOrder(mesh, `torn-${n}`)),
  );
  let killed = 0;
  for (let wave = 0; wave < waves; wave++) {
    const killing = killAtRandom();
    await Promise.all(
      ids.flatMap((id) => Array.from({ length: commandsPerOrder }, (_, n) => command(id, wave, n))),
    );
    killed += await killing.stop();
  }
  expect(killed).toBeGreaterThan(0);
  await settled(mesh);

  const url = new URL(mesh.file().stores.postgres.superuser);
  url.pathname = new URL(mesh.file().stores.postgres.orders).pathname;
  const db = new pg.Client({ connectionString: url.href });
  await db.connect();
  const read = async () =>
    (
      await db.query<{ id: string; sequence: number; custody_sequence: number }>(
        'select id, sequence, custody_sequence from orders where id = any ($1::uuid[])',
        [ids],
      )
    ).rows;
  try {
    // custody has told orders of all that it holds
    await until(async () => (await read()).every((row) => row.custody_sequence === row.sequence), {
      deadlineMs: 60_000,
      what: 'every chain to be as long as its order',
    });
    const seen: string[] = [];
    for (const { id, sequence } of await read()) {
      // the gateway may still be on its way back to a custody that has just come up: 503, and again
      const { body } = await until(
        async () => {
          const answer = await partner(mesh).get(`/orders/${id}/events`);
          return answer.status === 200 ? answer : undefined;
        },
        { what: `the history of ${id}`, deadlineMs: 30_000 },
      );
      expect(body).toHaveLength(sequence);
      expect(verifyChain(id, body).valid).toBe(true);
      seen.push(
        ...body.flatMap((entry: { payload: { mark?: string } | null }) =>
          entry.payload?.mark === undefined ? [] : [entry.payload.mark],
        ),
      );
    }
    // once each: all commands with a response, and of the others at most what was sent
    expect(new Set(seen).size).toBe(seen.length);
    expect([...answered].filter((mark) => !seen.includes(mark))).toEqual([]);
    expect(seen.filter((mark) => !answered.has(mark) && !unanswered.has(mark))).toEqual([]);
    expect(answered.size).toBe(waves * orderCount * commandsPerOrder);
    expect(await operator(mesh, 'ledger', 'verify')).toMatchObject({
      code: 0,
      json: { valid: true, orders: orderCount },
    });
    process.stdout.write(
      `${answered.size} commands answered, ${unanswered.size} tries in vain, ${killed} kills\n`,
    );
  } finally {
    await db.end();
  }
}, 280_000);
