/** Background loops: start, wake, pause, back off and stop. */
export { backoffMs } from './backoff.ts';
export { createRests } from './rests.ts';
export { createWakeSignal } from './wake-signal.ts';
export { startWorker, type Worker, type WorkerOptions } from './worker.ts';
