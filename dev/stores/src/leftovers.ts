import { setTimeout as sleep } from 'node:timers/promises';
import { guardLabel } from './guards.ts';
import { endProcess, listProcesses, type RunningProcess } from './processes.ts';

const guardsEndWithinMs = 25_000;

/**
 * Waits until the guards that an earlier, killed run left in this folder have ended their
 * processes. A process whose guard was killed too is found by a text of `marks` in its command
 * line; this function ends the process. Only the holder of the folder's lock may call this
 * function, so each process found belongs to an earlier run.
 * @throws Error if a guard still runs after 25 s.
 */
export const endLeftovers = async (
  dir: string,
  marks: readonly string[],
  onProgress: (line: string) => void,
): Promise<void> => {
  const label = guardLabel(dir, '');
  const deadline = performance.now() + guardsEndWithinMs;
  for (let reported = false; (await othersWith([label])).length > 0; reported = true) {
    if (performance.now() > deadline)
      throw new Error(`processes of the last run on ${dir} do not end`);
    if (!reported) onProgress('waiting for the processes of the last run to end');
    await sleep(100);
  }
  for (const { pid } of await othersWith(marks)) await endProcess(pid, 'SIGTERM', 10_000);
};

const othersWith = async (pieces: readonly string[]): Promise<RunningProcess[]> =>
  (await listProcesses()).filter(
    ({ pid, args }) => pid !== process.pid && pieces.some((piece) => args.includes(piece)),
  );
