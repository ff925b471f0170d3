/**
 * R5: appends to the ledger by 100 callers with one event each, against PostgreSQL with one synced
 * `insert ... returning` for each event. `node bench/append-one-event.ts`; LEAVES (10,000) is the
 * log's size before, EVENTS (4,096) those of a round.
 *
 * The goal is set against immudb's server, which no registry of this project offers. A plain insert
 * is far less work than an append to either ledger, so this ratio is a lower bound and not R5's.
 */
import { calledLedger } from './append/called-ledger.ts';
import { insertingClients } from './append/inserting-clients.ts';
import { compare } from './measuring/ratio.ts';
import { withStores } from './with-stores.ts';

const [leaves, events] = [Number(process.env.LEAVES ?? 10_000), Number(process.env.EVENTS ?? 4096)];

await withStores(async () => {
  const ours = await calledLedger(leaves, events);
  const theirs = await insertingClients(events);
  try {
    await compare('R5: one event a call, 100 callers, against PostgreSQL alone', ours, theirs);
  } finally {
    await ours.close();
    await theirs.close();
  }
});
