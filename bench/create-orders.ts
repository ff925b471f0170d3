/**
 * R2: orders created through the complete local stack, beside pgbench with the same inserts in the
 * same server, one order per transaction, in turns in one run. `node bench/create-orders.ts`.
 * Needs wrk and pgbench (Debian's packages).
 */
import { until } from '@pto/testing';
import pg from 'pg';
import { pgbenchSide } from './create/pgbench-side.ts';
import { orderWith } from './http/calls.ts';
import { stackProcesses, withStack } from './http/stack.ts';
import { httpSide } from './http/wrk.ts';
import { compare } from './measuring/ratio.ts';

const organizations = 8;
const seconds = 2;

await withStack(async (prepared) => {
  const { stack, baseUrl, keys } = prepared;
  const orders = new pg.Client(stack.file().stores.postgres.orders);
  await orders.connect();
  const pgbench = await pgbenchSide(prepared, seconds);
  const target = {
    url: `${baseUrl}/orders`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(orderWith(2)),
    status: 201,
    keys,
  };
  /** Until custody has reported every event of the round back to orders. */
  const settle = async () => {
    const unreported = 'select from unreported_events limit 1';
    await until(async () => (await orders.query(unreported)).rowCount === 0, {
      what: 'the events of a round',
      deadlineMs: 120_000,
    });
  };
  const ours = { name: 'local stack', processes: stackProcesses(stack.file()), target, settle };
  for (const [connections, goal] of [
    [32, 'at least 1'],
    [128, 'at least 1.25'],
  ] as const)
    await compare(
      `R2: POST /orders, ${connections} connections, ${organizations} organizations`,
      httpSide(ours, { folder: stack.dir, connections, seconds }),
      pgbench(connections),
      { goal },
    );
  await orders.end();
}, organizations);
