/** Every kind of fault: how often it is drawn, what is drawn of it, and how it is inflicted and healed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@pto/testing';
import { databaseNames } from '../../as-superuser.ts';
import { signalProcess } from '../../kill.ts';
import { below, pick, type Random, weighted } from '../../random.ts';
import { listeningPorts } from '../faults/packet-filter.ts';
import type { World } from '../world.ts';

const slowDelayMs = 150;
const failingShare = 0.4;
const restoreMaxMs = 60_000;

/** Waits; an abort ends the wait early. */
const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal }).catch(() => {});

/** Stops a process for a while. */
const freeze = async (pid: number, ms: number, end: AbortSignal): Promise<void> => {
  signalProcess(pid, 'SIGSTOP');
  await pause(ms, end);
  signalProcess(pid, 'SIGCONT');
};

interface Process {
  readonly service: string;
  readonly replica: number;
}

const oneProcess = (random: Random): Process => {
  const service = weighted(random, [
    [4, 'orders'],
    [4, 'custody'],
    [4, 'webhooks'],
    [2, 'gateway'],
    [1, 'operators'],
    [1, 'auditor'],
  ]);
  return { service, replica: below(random, 2) };
};

const processesOf = ({ stack }: World, name: string): number[] => {
  const processes = stack.file().services.filter((service) => service.name === name);
  return processes.map(({ pid }) => pid);
};

/** Single processes have one replica, whatever was drawn. @returns 0 while none is known. */
const pidOf = (world: World, { service, replica }: Process): number => {
  const pids = processesOf(world, service);
  return pids[replica % pids.length] ?? 0;
};

const oneTopic = (random: Random) => pick(random, ['orders', 'custody'] as const);

/** A little off, nearly too much, and far off; in both directions. */
const clockOffsetsMs = [5_000, 50_000, 600_000, 7_200_000].flatMap((ms) => [ms, -ms]);

/** Disk full, out of memory, statement canceled, serialization failure. */
const sqlstates = ['53100', '53200', '57014', '40001'];

type Draw<T> = (random: Random, slots: number) => T;

/** @param inflict carries it out and takes it back; its signal heals at once. */
const fault = <T extends object>(
  weight: number,
  draw: Draw<T>,
  inflict: (world: World, drawn: T, end: AbortSignal) => unknown,
) => ({ weight, draw, inflict });

/** Connections to a store, through the workload's proxy. */
const onLink = (leastMs: number, mostMs: number, hurt: 'cut' | 'slow') =>
  fault(
    3,
    (random) => ({
      link: pick(random, ['postgres', 'redis'] as const),
      ms: leastMs + below(random, mostMs - leastMs),
    }),
    async ({ stand }, { link, ms }, end) => {
      const proxy = stand.proxies[link];
      if (hurt === 'cut') proxy?.cut();
      else proxy?.slow(slowDelayMs);
      await pause(ms, end);
      proxy?.restore();
    },
  );

/** Connections to a process or to Kafka, in the kernel. */
const inKernel = (hurt: 'lose' | 'refuse') =>
  fault(
    2,
    (random) => ({
      target: random() < 0.25 ? null : oneProcess(random),
      ms: 500 + below(random, 5000),
    }),
    async (world, { target, ms }, end) => {
      const { filter, brokers } = world.stand;
      if (filter === null) return;
      const ports = target
        ? listeningPorts(pidOf(world, target))
        : brokers.map((broker) => Number(broker.split(':')[1]));
      filter[hurt](ports);
      await pause(ms, end);
      filter.restore(ports);
    },
  );

export const faults = {
  kill: fault(8, oneProcess, (world, drawn) => signalProcess(pidOf(world, drawn), 'SIGKILL')),
  killAll: fault(
    2,
    (random) => ({ service: pick(random, ['orders', 'custody', 'webhooks', 'gateway']) }),
    (world, { service }) => {
      for (const pid of processesOf(world, service)) signalProcess(pid, 'SIGKILL');
    },
  ),
  freeze: fault(
    4,
    (random) => ({ ...oneProcess(random), ms: 1000 + below(random, 7000) }),
    (world, drawn, end) => freeze(pidOf(world, drawn), drawn.ms, end),
  ),
  freezeStore: fault(
    2,
    (random) => ({
      store: pick(random, ['kafka', 'redis'] as const),
      ms: 1000 + below(random, 6000),
    }),
    ({ stand }, { store, ms }, end) => freeze(stand.pid(store) ?? 0, ms, end),
  ),
  restartStore: fault(
    2,
    (random) => ({ store: pick(random, ['postgres', 'postgres', 'kafka', 'redis'] as const) }),
    ({ stand }, { store }) => stand.restart(store),
  ),
  cut: onLink(0, 3000, 'cut'),
  slow: onLink(1000, 6000, 'slow'),
  duplicate: fault(
    3,
    (random) => ({ topic: oneTopic(random), share: random() }),
    ({ tap }, { topic, share }) => tap?.duplicate(topic, share),
  ),
  poison: fault(
    2,
    (random, slots) => ({ topic: oneTopic(random), slot: below(random, slots) }),
    async ({ tap, slots, poisoned }, { topic, slot }) => {
      if (tap) poisoned.add(await tap.poison(topic, slots.get(slot)?.ids[0]));
    },
  ),
  forge: fault(
    2,
    (random) => ({ topic: oneTopic(random), share: random() }),
    async ({ tap, poisoned }, { topic, share }) => {
      const id = await tap?.forge(topic, share);
      if (id !== undefined) poisoned.add(id);
    },
  ),
  clock: fault(
    4,
    (random) => ({
      ...oneProcess(random),
      offsetMs: pick(random, clockOffsetsMs),
      ms: 1000 + below(random, 9000),
    }),
    async (world, { offsetMs, ms, ...process }, end) => {
      const { clocks } = world.stand;
      const pid = pidOf(world, process);
      clocks.shift(pid, offsetMs);
      await pause(ms, end);
      clocks.restore(pid);
    },
  ),
  lose: inKernel('lose'),
  refuse: inKernel('refuse'),
  failingStatements: fault(
    3,
    (random) => ({
      database: pick(random, databaseNames),
      sqlstate: pick(random, sqlstates),
      ms: 500 + below(random, 3000),
    }),
    async ({ statements }, { database, sqlstate, ms }, end) => {
      await statements.fail(database, sqlstate, failingShare);
      await pause(ms, end);
      // fails while the server is being restarted
      await until(() => statements.restore(database).then(() => true), {
        deadlineMs: restoreMaxMs,
        what: 'statements to succeed again',
      });
    },
  ),
  failingReceiver: fault(
    2,
    (random) => ({ status: pick(random, [500, 503, 404, 302]), ms: 500 + below(random, 3000) }),
    async ({ endpoints }, { status, ms }, end) => {
      const states = endpoints.flatMap(({ receivers }) => receivers.map(({ state }) => state));
      for (const state of states) state.status = status;
      await pause(ms, end);
      for (const state of states) state.status = 204;
    },
  ),
};
