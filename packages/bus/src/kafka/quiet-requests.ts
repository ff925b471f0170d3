import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

const schedule = RequestQueue.prototype.scheduleCheckPendingRequests;

/**
 * Replaces a method of kafkajs 2.2.4, which checks each connection for waiting requests 1,000 times
 * a second even if none waits, because it sets a timer with a negative delay repeatedly. This was
 * half of the CPU time of an idle service. kafkajs has had no release since 2023, so no fix is
 * expected.
 */
RequestQueue.prototype.scheduleCheckPendingRequests = function scheduleIfWaiting(): void {
  if (this.pending.length > 0) schedule.call(this);
};
