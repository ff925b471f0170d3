import { testDatabase } from '@pto/testing';
import pg from 'pg';
import { ownCpu } from '../measuring/machine.ts';
import { cpuSince } from '../measuring/process-cpu.ts';
import type { Latency, Side } from '../measuring/ratio.ts';
import { callAll } from './callers.ts';
import { orderEvents } from './order-event.ts';
import { signAsOrders } from './proofs.ts';

const clientCount = 100;

/**
 * PostgreSQL alone: each of 100 clients inserts one event with its bytes, `returning` its number, in
 * a synced commit of its own. No hash, no chain, no log, no proof, nothing announced.
 */
export const insertingClients = async (
  events: number,
): Promise<Side & { close(): Promise<void> }> => {
  const database = await testDatabase('inserts');
  const clients = Array.from(
    { length: clientCount },
    () => new pg.Client({ connectionString: database.superuserUrl }),
  );
  for (const client of clients) await client.connect();
  const [first] = clients as [pg.Client];
  await first.query(
    `create table events (number bigint generated always as identity primary key,
       id uuid not null unique, order_id uuid not null, type text not null, value bytea not null)`,
  );
  const countEvents = async () =>
    (await first.query('select count(*)::int as n from events')).rows[0].n as number;
  const insert = (
    { id, key, type, value }: ReturnType<typeof orderEvents>[number],
    caller: number,
  ) =>
    clients[caller]!.query({
      name: 'insert',
      text: 'insert into events (id, order_id, type, value) values ($1, $2, $3, $4) returning number',
      values: [id, key, type, Buffer.from(value)],
    });
  let messages: ReturnType<typeof orderEvents> = [];
  let latency: Latency = { p50Ms: 0, p99Ms: 0 };
  let [before, rows] = [ownCpu(), 0];
  let used = cpuSince(before, before);
  return {
    name: 'PostgreSQL insert',
    prepare: async () => {
      messages = orderEvents(events, 1).map(signAsOrders);
      rows = await countEvents();
      before = ownCpu();
    },
    round: async () => {
      latency = await callAll(messages, insert);
      used = cpuSince(before, ownCpu());
      return messages.length;
    },
    rows: async () => (await countEvents()) - rows,
    latency: () => latency,
    cpuByProcess: () => used,
    close: async () => {
      for (const client of clients) await client.end();
    },
  };
};
