/** Processes that are replaced one after the other, as the pods of a Deployment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@pto/testing';
import { untilReady } from '../local/src/processes/readiness.ts';
import { signalProcess } from './kill.ts';
import type { LocalStack } from './local-stack.ts';

const readyWithinMs = 60_000;

export interface Replacement {
  /** Names of services; all by default. */
  readonly names?: readonly string[];
  /** How long a successor serves before the next process ends. */
  readonly servesMs?: number;
  /** Ends the replacement early. */
  readonly signal?: AbortSignal;
  /** Receives the error of a successor that does not become ready; by default it is thrown. */
  readonly onFailure?: (error: Error) => void;
}

/** Ends each process by SIGTERM, the next one when the successor is ready. */
export const replaceEach = async (
  stack: LocalStack,
  { names, servesMs = 0, signal = AbortSignal.timeout(600_000), onFailure }: Replacement = {},
): Promise<void> => {
  for (const { name, replica } of stack.file().services) {
    if (names && !names.includes(name)) continue;
    if (signal.aborted) return;
    const find = () =>
      stack.file().services.find((one) => one.name === name && one.replica === replica)!;
    const before = find().pid;
    const begun = performance.now();
    signalProcess(before, 'SIGTERM');
    const what = `the successor of ${name}-${replica} to start`;
    await until(() => find().pid !== before, { deadlineMs: readyWithinMs, what })
      .then(() => untilReady(find().healthUrl, readyWithinMs - (performance.now() - begun), signal))
      .catch((error: Error) => {
        if (!onFailure) throw error;
        onFailure(error);
      });
    await sleep(servesMs, undefined, { signal }).catch(() => {});
  }
};
