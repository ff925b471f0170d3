/**
 * What one order costs over its whole life: creation, nine events, nine webhooks, a proof. CPU time
 * of each process and bytes in each store, at a constant rate, through the complete local stack, and
 * what the stack costs before, while it does nothing. `RATE=12 SECONDS=60 node bench/order-life.ts`:
 * 12 lives a second are a million a day.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { asSuperuser, databaseNames } from '../e2e/as-superuser.ts';
import type { LocalStack } from '../e2e/local-stack.ts';
import { stackProcesses, withStack } from './http/stack.ts';
import { openLives } from './life/lives.ts';
import { cpuNow, cpuSince, cpuText, sumOf } from './measuring/process-cpu.ts';
import { say } from './measuring/report.ts';
import { residentMiB } from './measuring/resident-memory.ts';

const perSecond = Number(process.env.RATE ?? 12);
const seconds = Number(process.env.SECONDS ?? 60);
const settleMs = 15_000;
const dayMs = 86_400_000;

/** Resident memory of the stack's processes and stores in MiB, as one text. */
const residentText = (counted: readonly string[]): string => {
  const mib = residentMiB(counted);
  return `${cpuText(mib)}, sum ${sumOf(mib).toFixed(0)}`;
};

/** Tables with their indexes and TOAST tables; the partitions of a table count as that table. */
const tableSizes = `
  select coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name,
         sum(pg_total_relation_size(c.oid))::float8 as size
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
   group by 1`;

/** The size of each table with its indexes, of PostgreSQL's log so far, and of Kafka's topics. */
const storedBytes = async (stack: LocalStack): Promise<Record<string, number>> => {
  const bytes: Record<string, number> = {};
  for (const database of databaseNames) {
    await asSuperuser(stack, database, async (client) => {
      for (const { name, size } of (await client.query(tableSizes)).rows)
        bytes[`${database}: ${name}`] = size;
      await client.query('checkpoint');
      const log = "select (pg_current_wal_lsn() - '0/0')::float8 as size";
      bytes["PostgreSQL's log"] = (await client.query(log)).rows[0].size;
    });
  }
  // index files are preallocated, so they say nothing
  const kafka = join(stack.dir, 'kafka');
  bytes['Kafka topics'] = readdirSync(kafka, { recursive: true, encoding: 'utf8' })
    .filter((file) => /-events\.v1-\d+\/.*\.log$/.test(file))
    .reduce((sum, file) => sum + statSync(join(kafka, file)).size, 0);
  return bytes;
};

await withStack(async (prepared) => {
  const { stack } = prepared;
  const processes = stackProcesses(stack.file());
  await sleep(settleMs);
  const idle = cpuNow();
  await sleep(settleMs);
  const idlePercent = sumOf(cpuSince(idle, processes)) / settleMs / 10;
  say(`idle: ${idlePercent.toFixed(1)} % of a core; MiB: ${residentText(processes)}`);

  const lives = await openLives(prepared, perSecond);
  await lives.run(5); // warm
  const bytes = await storedBytes(stack);
  const { count, tookMs, perLife } = await lives.run(seconds);
  const total = sumOf(perLife);
  const aDay = (count * dayMs) / tookMs / 1e6;
  say(`${count} lives in ${(tookMs / 1000).toFixed(0)} s, ${aDay.toFixed(2)} M a day`);
  say(`CPU of one life: ${(total / 1000).toFixed(1)} ms; µs: ${cpuText(perLife)}`);
  say(`cores for 1 M a day: ${((total * 1e6) / (dayMs * 1000)).toFixed(2)}`);
  for (const [name, size] of Object.entries(await storedBytes(stack))) {
    const ofOne = (size - (bytes[name] ?? 0)) / count; // a new table counts from zero
    if (ofOne >= 1) say(`bytes of one life, ${name}: ${ofOne.toFixed(0)}`);
  }
  say(`MiB: ${residentText(processes)}`);
  await lives.stop();
});
