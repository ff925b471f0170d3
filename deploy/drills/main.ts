/**
 * Drills of what an operator does at night, on real processes: `npm run drill` lists them,
 * `npm run drill -- NAME` runs one. Its last line is the verdict; ends with 1 unless it passed.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runDrill } from './bed/run.ts';
import { clusterCell } from './cluster/cluster-cell.ts';
import { nodeDrain } from './cluster/node-drain.ts';
import { nodeLoss } from './cluster/node-loss.ts';
import { releaseUpgrade } from './cluster/release-upgrade.ts';
import { diskFull } from './disk/disk-full.ts';
import type { Drill } from './drill.ts';
import { postgresFailover } from './postgres/failover.ts';
import { pgbouncer } from './postgres/pgbouncer.ts';
import { restoreAll } from './postgres/restore-all.ts';
import { restoreOrders } from './postgres/restore-orders.ts';
import { clockSkew } from './processes/clock-skew.ts';
import { stopEachProcess } from './processes/stop-each-process.ts';
import { certificates } from './secrets/certificates.ts';
import { keyRings } from './secrets/key-rings.ts';
import { passwords } from './secrets/passwords.ts';

/** All drills, in the order in which they are listed. */
const drills: readonly Drill[] = [
  restoreOrders,
  restoreAll,
  postgresFailover,
  pgbouncer,
  stopEachProcess,
  clockSkew,
  diskFull,
  certificates,
  keyRings,
  passwords,
  nodeDrain,
  nodeLoss,
  releaseUpgrade,
  clusterCell,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { transcripts: { type: 'string' }, from: { type: 'string' } },
});
const [name] = positionals;

if (name === undefined) {
  const width = Math.max(...drills.map((one) => one.name.length));
  for (const one of drills) process.stdout.write(`${one.name.padEnd(width)}  ${one.summary}\n`);
} else {
  const drill = drills.find((one) => one.name === name);
  if (drill === undefined) {
    process.stderr.write(`no drill ${name}: npm run drill lists them\n`);
    process.exitCode = 2;
  } else {
    const folder = resolve(values.transcripts ?? '.local-drills');
    mkdirSync(folder, { recursive: true });
    const passed = await runDrill(drill, join(folder, `${name}.txt`), values.from);
    process.exitCode = passed ? 0 : 1;
  }
}
// a connection that a failed drill left open must not keep the process
process.exit();
