import { setTimeout as sleep } from 'node:timers/promises';
import { createGuards } from '@pto/stores';
import { checkout, compileCache } from '../checkout.ts';
import type { Progress } from '../progress.ts';
import type { PlannedProcess } from './plan.ts';
import type { ProgramFiles } from './programs.ts';
import { untilReady } from './readiness.ts';
import { inCell } from './stack-settings.ts';
import { keepRunning, type SupervisedProcess } from './supervisor.ts';

const readyWithinMs = 120_000;
const gatewaysDrainMs = 3000;
/** Seconds from the stop signal until a process is killed. A service stops within 10 s. */
const graceS = 12;

/**
 * The services' processes. A process that ends is started again, unless it rejected its
 * configuration.
 */
interface RunningProcesses {
  /** Process ids in the plan's order. */
  pids(): number[];
  /**
   * Waits until all processes are ready.
   * @throws Error naming a process that does not become ready, and why.
   */
  untilReady(signal: AbortSignal): Promise<void>;
  /**
   * Stops the gateways first, and the other processes after at most 3 s, so that gateways can
   * finish their requests. May be called again.
   */
  stop(): Promise<void>;
}

/**
 * A service has ended with exit code 78: it rejected its configuration. The local stack then ends.
 */
export class BadConfiguration extends Error {}

export const startProcesses = async (options: {
  dir: string;
  plan: readonly PlannedProcess[];
  programs: ProgramFiles;
  progress: Progress;
  onRestart: () => void;
  onFailure: (error: Error) => void;
}): Promise<RunningProcesses> => {
  const { dir, plan, programs, progress, onRestart, onFailure } = options;
  const guards = createGuards(dir);
  const start = (planned: PlannedProcess): Promise<SupervisedProcess> => {
    const name = nameOf(planned);
    return keepRunning({
      guards,
      name,
      command: {
        command: process.execPath,
        args: nodeArguments(programs.fileOf(serviceOf(planned.name))),
        signal: 'TERM',
        graceS,
        cwd: checkout,
        env: { ...planned.env, NODE_COMPILE_CACHE: compileCache },
      },
      say: (line) => progress.warn(`${name}: ${line}`),
      onRestart,
      onBadConfiguration: (reason) => onFailure(new BadConfiguration(`${name}: ${reason}`)),
    });
  };
  const starts = plan.map(start);
  const running = await Promise.all(starts).catch(async (error) => {
    // End each supervisor first: after `stopAll` alone, a supervisor would try to start its process
    // again.
    for (const result of await Promise.allSettled(starts))
      if (result.status === 'fulfilled') await result.value.stop();
    await guards.stopAll();
    throw error;
  });
  const stopAll = async (isGateway: boolean) => {
    const those = running.filter((_, i) => (plan[i]?.name === 'gateway') === isGateway);
    await Promise.all(those.map((process) => process.stop()));
  };
  return {
    pids: () => running.map((process) => process.pid()),
    untilReady: async (signal) => {
      const waits = plan.map(async (planned) => {
        await untilReady(planned.healthUrl, readyWithinMs, signal).catch((error: Error) => {
          throw signal.aborted ? error : new Error(`${nameOf(planned)} is ${error.message}`);
        });
        progress.say(`${nameOf(planned)} is ready`);
      });
      await Promise.all(waits);
    },
    stop: async () => {
      const drained = stopAll(true);
      await Promise.race([drained, sleep(gatewaysDrainMs, undefined, { ref: false })]);
      await Promise.all([drained, stopAll(false)]);
      await guards.stopAll();
    },
  };
};

const nameOf = ({ name, cell, replica }: PlannedProcess): string =>
  `${inCell(name, cell, '-')}-${replica}`;

const nodeArguments = (program: string): string[] => [
  '--import',
  // Node must load this module before the program: a database driver that is already loaded cannot
  // be traced.
  '@pto/telemetry/register',
  program,
];

/** Returns the service whose program a process runs. */
const serviceOf = (process: PlannedProcess['name']): string =>
  process === 'auditor' ? 'custody' : process === 'mover' ? 'operators' : process;
