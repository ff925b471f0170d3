/** Background loops: start, wake, pause, back off and stop. */
export { backoffMs, createRests, startWorker, type Worker, type WorkerOptions } from './worker.ts';
