import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { verifyChain } from '@pto/custody-verifier';
import { Failure } from '@pto/errors';
import { until } from '@pto/testing';
import pg from 'pg';
import type { Clients } from '../../operator/src/clients.ts';
import { createOrder } from '../load.ts';
import { type Mesh, settled } from '../mesh.ts';
import { operator, operatorClients } from '../operator.ts';
import { partner } from '../partner.ts';
import { type Killed, killOne } from './stack.ts';

const waves = Number(process.env.WAVES ?? 1);
const orderCount = 20;
const commandsPerOrder = 10;
/** Attacks of a wave; after them every command is repeated until it succeeds. */
const attacksMax = 3;
const patienceMs = 150_000;

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

/** Operators' commands at once, while orders and custody are killed. */
export const testCommands = (stack: Killed): void =>
  test('every chain agrees with its order although orders and custody are killed', async () => {
    const mesh = stack();
    const before = (await operator(mesh, 'ledger', 'verify')).json as { orders: number } | null;
    const names = Array.from({ length: orderCount }, (_, n) => `command-${n}`);
    const ids = await Promise.all(names.map((name) => createOrder(mesh, name)));
    const marks = { answered: new Set<string>(), unanswered: new Set<string>() };
    let killed = 0;
    for (let wave = 0; wave < waves; wave++) {
      const killing = startKilling(mesh, () => marks.answered.size);
      const commands = ids.flatMap((id) =>
        Array.from({ length: commandsPerOrder }, (_, n) => command(mesh, marks, id, wave, n)),
      );
      await Promise.all(commands);
      killed += await killing.stop();
    }
    expect(killed).toBeGreaterThan(0);
    await settled(mesh);
    await custodyHasAll(mesh, ids);

    const seen: string[] = [];
    for (const id of ids) {
      // the gateway may still respond 503 while it connects to a custody that has just started
      const { body } = await until(
        async () => {
          const answer = await partner(mesh).get(`/orders/${id}/events`);
          return answer.status === 200 ? answer : undefined;
        },
        { what: `the history of ${id}`, deadlineMs: 30_000 },
      );
      expect(verifyChain(id, body).valid).toBe(true);
      for (const { payload } of body) if (payload?.mark !== undefined) seen.push(payload.mark);
    }
    // once each: all commands with a response, and of the others at most what was sent
    expect(new Set(seen).size).toBe(seen.length);
    expect([...marks.answered].filter((mark) => !seen.includes(mark))).toEqual([]);
    const sent = new Set([...marks.answered, ...marks.unanswered]);
    expect(seen.filter((mark) => !sent.has(mark))).toEqual([]);
    expect(marks.answered.size).toBe(waves * orderCount * commandsPerOrder);
    expect(await operator(mesh, 'ledger', 'verify')).toMatchObject({
      code: 0,
      json: { valid: true, orders: (before?.orders ?? 0) + orderCount },
    });
  }, 280_000);

/** Sends one command under another mark each time until it has a response. */
const command = async (
  mesh: Mesh,
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
      const circumstances = { orderId, payloadJson: JSON.stringify({ mark }) };
      await kinds[n % kinds.length]!(operatorClients(mesh).orders, circumstances);
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
const startKilling = (mesh: Mesh, answered: () => number): { stop(): Promise<number> } => {
  let [on, killed] = [true, 0];
  const running = (async () => {
    for (let attack = 0; on && attack < attacksMax; attack++) {
      const before = answered();
      await sleep(50 + Math.random() * 400); // the pace of the attack, not a wait for anything
      for (const name of ['orders', 'custody'])
        if ((attack === 0 || Math.random() < 0.6) && killOne(mesh, name)) killed++;
      await settled(mesh);
      // callers connect again in their own time: on a slow machine not before the next kill
      await until(() => !on || answered() > before, {
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

/** Waits until custody has reported each order's last event to orders. */
const custodyHasAll = async (mesh: Mesh, ids: readonly string[]): Promise<void> => {
  const db = new pg.Client({ connectionString: mesh.file().stores.postgres.orders });
  await db.connect();
  const behind = async () => {
    const { rows } = await db.query(
      'select 1 from orders where id = any ($1::uuid[]) and custody_sequence <> sequence',
      [ids],
    );
    return rows.length;
  };
  try {
    await until(async () => (await behind()) === 0, {
      deadlineMs: 60_000,
      what: 'every chain to be as long as its order',
    });
  } finally {
    await db.end();
  }
};
