import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

const schedule = RequestQueue.prototype.scheduleCheckPendingRequests;

/**
 * kafkajs 2.2.4 looks for waiting requests of each connection a thousand times a second, also while
 * none waits: it sets a timer with a negative time, again and again. That was half of the CPU time of
 * an idle service. Its successor is not to be expected: the package has had no release since 2023.
 */
RequestQueue.prototype.scheduleCheckPendingRequests = function scheduleIfWaiting(): void {
  if (this.pending.length > 0) schedule.call(this);
};
