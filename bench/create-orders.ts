/**
 * R2: orders created through the complete local stack, beside pgbench with the same inserts in the
 * same server, one order per transaction, in turns in one run. `node bench/create-orders.ts`;
 * CONNECTIONS=128, ORGANIZATIONS=1. With BEFORE=FOLDER the other side is the local stack of another
 * checkout. PROFILE=FOLDER writes a profile of each process. Needs wrk and pgbench (Debian's
 * packages).
 */
import { pgbenchSide } from './create/pgbench-side.ts';
import { startStack } from './create/stack.ts';
import { stackSide } from './create/stack-side.ts';
import { compare } from './measuring/ratio.ts';

const connections = Number(process.env.CONNECTIONS ?? 32);
const organizations = Number(process.env.ORGANIZATIONS ?? 8);
const before = process.env.BEFORE;
const present = new URL('..', import.meta.url).pathname;

const stopped: (() => Promise<unknown>)[] = [];
const open = async (name: string, checkout: string) => {
  const creating = await startStack(checkout, organizations);
  stopped.push(async () => {
    await creating.stack.stop();
    creating.stack.forget();
  });
  const side = await stackSide(name, creating, connections);
  stopped.push(side.close);
  return { creating, side };
};

try {
  const what = `R2: POST /orders, ${connections} connections, ${organizations} organizations`;
  const ours = await open('local stack', present);
  if (before) {
    const theirs = await open('before', before);
    await compare(what, ours.side, theirs.side);
  } else {
    const theirs = await pgbenchSide(ours.creating, connections);
    stopped.push(theirs.close);
    await compare(what, ours.side, theirs);
  }
} finally {
  for (const stop of stopped.reverse()) await stop();
}
