import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@pto/testing';
import type { Clocks } from '../../clocks.ts';
import { signalProcess } from '../../kill.ts';
import type { Fault } from '../plan/fault.ts';
import type { World } from '../world.ts';
import { listeningPorts } from './packet-filter.ts';

const slowDelayMs = 150;
const failingShare = 0.4;
const restoreMaxMs = 60_000;

/** Stops a process for a while; an abort ends the while early. */
const freeze = async (pid: number, ms: number, end: AbortSignal): Promise<void> => {
  signalProcess(pid, 'SIGSTOP');
  await pause(ms, end);
  signalProcess(pid, 'SIGCONT');
};

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal }).catch(() => {});

/** Shifts the wall clock of a process for a while. */
const shiftClock = async (
  clocks: Clocks,
  pid: number,
  { offsetMs, ms, end }: { offsetMs: number; ms: number; end: AbortSignal },
): Promise<void> => {
  clocks.shift(pid, offsetMs);
  await pause(ms, end);
  clocks.restore(pid);
};

const portsOf = (world: World, target: string, replica: number): number[] => {
  if (target === 'kafka') return world.stand.brokers.map((broker) => Number(broker.split(':')[1]));
  return listeningPorts(processOf(world, { service: target, replica }));
};

const processesOf = ({ mesh }: World, name: string): number[] =>
  mesh
    .file()
    .services.filter((service) => service.name === name)
    .map(({ pid }) => pid);

/** Single processes have one replica, whatever was drawn. @returns 0 while none is known. */
const processOf = (
  world: World,
  { service, replica }: { service: string; replica: number },
): number => {
  const pids = processesOf(world, service);
  return pids[replica % pids.length] ?? 0;
};

/** Carries out one fault and takes it back. @param end heals at once. */
export const inflict = async (world: World, fault: Fault, end: AbortSignal): Promise<void> => {
  const { stand } = world;
  switch (fault.kind) {
    case 'kill':
      signalProcess(processOf(world, fault), 'SIGKILL');
      return;
    case 'killAll':
      for (const pid of processesOf(world, fault.service)) signalProcess(pid, 'SIGKILL');
      return;
    case 'freeze':
      return freeze(processOf(world, fault), fault.ms, end);
    case 'freezeStore':
      return freeze(stand.pid(fault.store) ?? 0, fault.ms, end);
    case 'restartStore':
      return stand.restart(fault.store);
    case 'cut':
    case 'slow': {
      const proxy = stand.proxies[fault.link];
      if (fault.kind === 'cut') proxy?.cut();
      else proxy?.slow(slowDelayMs);
      await pause(fault.ms, end);
      return proxy?.restore();
    }
    case 'duplicate':
      return world.tap?.duplicate(fault.topic, fault.share);
    case 'poison':
      if (world.tap !== null) {
        const key = world.slots.get(fault.slot)?.ids[0];
        world.poisoned.add(await world.tap.poison(fault.topic, key));
      }
      return;
    case 'forge': {
      const id = await world.tap?.forge(fault.topic, fault.share);
      if (id !== undefined) world.poisoned.add(id);
      return;
    }
    case 'clock':
      return shiftClock(world.stand.clocks, processOf(world, fault), { ...fault, end });
    case 'lose':
    case 'refuse': {
      const { filter } = world.stand;
      if (filter === null) return;
      const ports = portsOf(world, fault.target, fault.replica);
      if (fault.kind === 'lose') filter.lose(ports);
      else filter.refuse(ports);
      await pause(fault.ms, end);
      return filter.restore(ports);
    }
    case 'failingStatements': {
      const { database, sqlstate } = fault;
      await world.statements.fail(database, sqlstate, failingShare);
      await pause(fault.ms, end);
      const restored = () =>
        world.statements.restore(database).then(
          () => true,
          () => false, // the server is being restarted
        );
      await until(restored, { deadlineMs: restoreMaxMs, what: 'statements to succeed again' });
      return;
    }
    case 'failingReceiver': {
      const receivers = world.endpoints.flatMap((endpoint) => endpoint.receivers);
      for (const receiver of receivers) receiver.status = fault.status;
      await pause(fault.ms, end);
      for (const receiver of receivers) receiver.status = 204;
    }
  }
};
