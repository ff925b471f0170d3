/**
 * `npm run chaos [-- --seed N --minutes M]`: draws operations and faults from a seed, runs them
 * against a local stack with two replicas of each service, heals, waits and checks the invariants
 * from outside. Exits 1 on a violation. See docs/chaos.md.
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type LocalStack, stackFolder, startLocalStack, unlimited } from '../local-stack.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { converge } from './converge.ts';
import { startStand } from './faults/stand.ts';
import { check } from './invariants/check.ts';
import { observe } from './observe.ts';
import { drawPlan } from './plan/draw.ts';
import { playPlan } from './play.ts';
import { openReleases } from './releases.ts';
import { type Report, type Tally, table } from './report.ts';
import { openWorld } from './world.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string', default: '1' },
    rate: { type: 'string', default: '6' },
    pause: { type: 'string', default: '4000' },
    from: { type: 'string' },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const minutes = Number(values.minutes);
const say = (line: string) => process.stderr.write(`${line}\n`);
say(`seed ${seed}`);
const plan = drawPlan(seed, {
  minutes,
  operationsPerSecond: Number(values.rate),
  faultPauseMs: Number(values.pause),
});

const storesDir = stackFolder();
const stand = await startStand(storesDir, say);
const releases = values.from === undefined ? null : await openReleases(values.from, say);
let stack: LocalStack | undefined;
const receivers: Receiver[] = [];
try {
  stack = await startLocalStack({
    startMaxMs: 300_000,
    args: ['--no-demo', '--replicas', 'gateway=2,orders=2,custody=2,webhooks=2'],
    env: {
      ...stand.env,
      ...releases?.env,
      ...unlimited,
      WEBHOOKS_ATTEMPT_TIMEOUT: '4s',
      WEBHOOKS_RETRY_WAITS: '1s,2s,4s,8s,30s',
      WEBHOOKS_BROKEN_FAILURES: '1000000',
      CUSTODY_AUDITOR_PAUSE: '1s',
    },
  });
  await releases?.migrate(stack);
  for (let n = 0; n < 4; n++) receivers.push(await startReceiver(stack));
  const world = await openWorld({ stack, stand, receivers, runName: `chaos-${seed}` });
  const tally: Tally = { operations: {}, faults: {} };
  const begun = performance.now();
  const endMs = minutes * 60_000;
  const changes = releases?.play(world, endMs, AbortSignal.timeout(endMs));
  await playPlan(world, plan, { endMs, tally, say });
  await changes;
  await world.tap?.close();
  say('healed; waiting for convergence');
  const seen = await observe(world, await converge(world));
  const report: Report = {
    ...tally,
    seed,
    minutes,
    orders: seen.orders.length,
    events: seen.orders.reduce((sum, { sequence }) => sum + sequence, 0),
    deliveries: seen.endpoints.reduce((sum, { deliveries }) => sum + deliveries.length, 0),
    seconds: Math.round((performance.now() - begun) / 1000),
    reasons: world.reasons,
    violations: check(seen),
  };
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : table(report));
  process.exitCode = report.violations.length > 0 ? 1 : 0;
} finally {
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  await stack?.stop();
  await stand.stop();
  releases?.close();
  if (values.keep) say(`logs are in ${stack?.dir}`);
  else {
    stack?.forget();
    rmSync(storesDir, { recursive: true, force: true });
  }
}
// a Kafka client that is disconnected while it connects again goes on for ever
process.exit();
