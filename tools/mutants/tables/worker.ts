import type { Mutant } from '../mutant.ts';

/** Safety mechanisms of background loops and batches. */
export const workerMutants: readonly Mutant[] = [
  {
    name: 'batch-waiting-max',
    mechanism: 'A bounded number of calls wait for a batch',
    file: 'packages/concurrency/src/batches.ts',
    original: 'if (waiting.length >= waitingMax) {',
    broken: 'if (waiting.length < 0) {',
    tests: ['concurrency/test/batches'],
  },
  {
    name: 'worker-wake-kept',
    mechanism: 'A wake signal during a tick ends the pause after that tick',
    file: 'packages/worker/src/wake-signal.ts',
    original: 'else woken = true;',
    broken: '',
    tests: ['worker/test/worker'],
  },
  {
    name: 'worker-stop-ends-pause',
    mechanism: 'A stop does not wait for the end of a pause',
    file: 'packages/worker/src/worker.ts',
    original: "stopping.abort(new Error('stopping'));\n      wakeSignal.wake();",
    broken: "stopping.abort(new Error('stopping'));",
    tests: ['worker/test/worker'],
  },
  {
    name: 'worker-stop-awaits-tick',
    mechanism: 'A stop waits for the tick in progress, before the stores are closed',
    file: 'packages/worker/src/worker.ts',
    original: 'await running;',
    broken: '',
    tests: ['worker/test/worker'],
  },
  {
    name: 'worker-survives-handler',
    mechanism: 'An error of the handler of failures ends no loop',
    file: 'packages/worker/src/worker.ts',
    original: 'return backoffMs(failures); // the log',
    broken: 'throw error; // the log',
    tests: ['worker/test/worker'],
  },
  {
    name: 'worker-backoff-grows',
    mechanism: 'The pause grows with the failures in a row',
    file: 'packages/worker/src/worker.ts',
    original: 'pauseAfter(error, ++failures)',
    broken: 'pauseAfter(error, 1)',
    tests: ['worker/test/worker'],
  },
  {
    name: 'worker-backoff-resets',
    mechanism: 'A successful tick ends a row of failures',
    file: 'packages/worker/src/worker.ts',
    original: 'await options.tick(signal);\n        failures = 0;',
    broken: 'await options.tick(signal);',
    tests: ['worker/test/worker'],
  },
  {
    name: 'backoff-bounded',
    mechanism: 'A pause after failures has an upper bound',
    file: 'packages/worker/src/backoff.ts',
    original: 'Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, 30))',
    broken: 'firstMs * 2 ** Math.min(failures - 1, 30)',
    tests: ['worker/test/backoff'],
  },
];
