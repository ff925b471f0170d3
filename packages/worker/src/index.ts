/** Background loops: start, wake, pause, back off and stop. */

export { createRests } from './rests.ts';
export {
  backoffMs,
  startWorker,
  type Worker,
  type WorkerOptions,
} from './worker.ts';
