import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../draw.ts';
import type { World } from '../world.ts';

const slowDelayMs = 150;

const signal = (pid: number | undefined, name: NodeJS.Signals): void => {
  try {
    if (pid) process.kill(pid, name); // 0 would be the group of this process
  } catch {} // it is being started again
};

/** Stops a process for a while; an abort ends the while early. */
const freeze = async (pid: number | undefined, ms: number, end: AbortSignal): Promise<void> => {
  signal(pid, 'SIGSTOP');
  await pause(ms, end);
  signal(pid, 'SIGCONT');
};

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal }).catch(() => {});

const processesOf = ({ mesh }: World, name: string): number[] =>
  mesh
    .file()
    .services.filter((service) => service.name === name)
    .map(({ pid }) => pid);

/** Carries out one fault and takes it back. @param end heals at once. */
export const inflict = async (world: World, fault: Fault, end: AbortSignal): Promise<void> => {
  const { stand } = world;
  switch (fault.kind) {
    case 'kill': {
      const pids = processesOf(world, fault.service);
      return signal(pids[fault.replica % pids.length], 'SIGKILL');
    }
    case 'killAll':
      for (const pid of processesOf(world, fault.service)) signal(pid, 'SIGKILL');
      return;
    case 'freeze': {
      const pids = processesOf(world, fault.service);
      return freeze(pids[fault.replica % pids.length], fault.ms, end);
    }
    case 'freezeStore':
      return freeze(stand.pid(fault.store), fault.ms, end);
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
    case 'failingReceiver': {
      const receivers = world.endpoints.flatMap((endpoint) => endpoint.receivers);
      for (const receiver of receivers) receiver.status = fault.status;
      await pause(fault.ms, end);
      for (const receiver of receivers) receiver.status = 204;
    }
  }
};
