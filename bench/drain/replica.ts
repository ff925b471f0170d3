/** One who drains in a process of its own, as a replica does: it begins when told, and ends so. */
import { storeCpu } from '../measuring/machine.ts';
import { type CpuMicros, cpuSince } from '../measuring/process-cpu.ts';
import type { Side } from '../measuring/ratio.ts';
import type { Workload } from './drain-side.ts';
import { settingsOf, startProgram } from './program.ts';

/** Where to post, whose certificates to trust, and where its queue is. */
interface ReplicaSettings extends Pick<Workload, 'receiverUrl' | 'caFile'> {
  readonly storeUrl: string;
}

/** Its program: `open` gives what begins a turn, and that gives what ends the turn. */
export const serveTurns = async (
  open: (settings: ReplicaSettings) => Promise<() => () => Promise<void>>,
): Promise<void> => {
  const begin = await open(settingsOf<ReplicaSettings>());
  let end = async () => {};
  let cpu = process.cpuUsage();
  process.on('message', async (turn) => {
    if (turn === 'begin') {
      cpu = process.cpuUsage();
      end = begin();
      return;
    }
    await end();
    const { user, system } = process.cpuUsage(cpu);
    process.send!(user + system);
  });
  process.send!('ready');
};

/** A round of the side: the replica works until nothing is left of its `backlog`. */
export const startReplica = async (
  program: string,
  storeUrl: string,
  { backlog, receiverUrl, caFile }: Workload,
  left: () => Promise<boolean>,
): Promise<Pick<Side, 'round' | 'cpuByProcess'> & { close(): void }> => {
  const settings: ReplicaSettings = { storeUrl, receiverUrl, caFile };
  const replica = startProgram(program, settings);
  await replica.received();
  let used: CpuMicros = {};
  return {
    round: async () => {
      const before = storeCpu();
      replica.send('begin');
      while (await left()) await new Promise((resolve) => setTimeout(resolve, 10));
      replica.send('end');
      used = { replica: await replica.received<number>(), ...cpuSince(before, storeCpu()) };
      return backlog;
    },
    cpuByProcess: () => used,
    close: replica.close,
  };
};
