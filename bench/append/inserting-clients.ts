import { testDatabase } from '@pto/testing';
import pg from 'pg';
import type { Side } from '../measuring/ratio.ts';
import { callAll, callerCount, type OrderMessage, orderEvents } from './order-event.ts';

/**
 * PostgreSQL alone: each of 100 clients inserts one event with its bytes, `returning` its number, in
 * a synced commit of its own. No hash, no chain, no log, no proof, nothing announced.
 */
export const insertingClients = async (
  events: number,
): Promise<Side & { close(): Promise<void> }> => {
  const { superuserUrl } = await testDatabase('inserts');
  const clients = Array.from({ length: callerCount }, () => new pg.Client(superuserUrl));
  for (const client of clients) await client.connect();
  const [first] = clients as [pg.Client];
  await first.query(
    `create table events (number bigint generated always as identity primary key,
       id uuid not null unique, order_id uuid not null, type text not null, value bytea not null)`,
  );
  const countEvents = async () =>
    (await first.query('select count(*)::int as n from events')).rows[0].n as number;
  const insert = ({ id, key, type, value }: OrderMessage, caller: number) =>
    clients[caller]!.query({
      name: 'insert',
      text: 'insert into events (id, order_id, type, value) values ($1, $2, $3, $4) returning number',
      values: [id, key, type, Buffer.from(value)],
    });
  let messages: OrderMessage[] = [];
  let rows = 0;
  return {
    name: 'PostgreSQL insert',
    prepare: async () => {
      messages = orderEvents(events);
      rows = await countEvents();
    },
    round: () => callAll(messages, insert),
    rows: async () => (await countEvents()) - rows,
    close: async () => {
      for (const client of clients) await client.end();
    },
  };
};
