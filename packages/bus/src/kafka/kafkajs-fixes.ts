/**
 * Replaces methods of kafkajs 2.2.4 that waste CPU time or measure durations by the wall clock.
 * kafkajs has had no release since 2023, so no fix is expected.
 */
import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup.js';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

/** Time between two looks for requests that exceed their timeout, in ms; kafkajs: 100. */
const timeoutCheckEveryMs = 1000;
/** Time between two looks for requests that may be sent, in ms, as in kafkajs. */
const pendingCheckEveryMs = 10;

/**
 * Looks for waiting requests only if there are some. kafkajs checks each connection 1,000 times a
 * second even if none waits, because it sets a timer with a negative delay repeatedly. This was half
 * of the CPU time of an idle service.
 */
RequestQueue.prototype.scheduleCheckPendingRequests = function scheduleIfWaiting(): void {
  if (this.pending.length === 0 || this.throttleCheckTimeoutId) return;
  const left = this.throttledUntil - performance.now();
  this.throttleCheckTimeoutId = setTimeout(
    () => {
      this.throttleCheckTimeoutId = null;
      this.checkPendingRequests();
    },
    left > 0 ? left : pendingCheckEveryMs,
  );
};

/** Waits as long as a broker has requested (its quotas); `throttledUntil` is monotonic. */
RequestQueue.prototype.maybeThrottle = function throttle(ms: number | null): void {
  if (ms) this.throttledUntil = Math.max(performance.now() + ms, this.throttledUntil);
};

RequestQueue.prototype.canSendSocketRequestImmediately = function canSend(): boolean {
  const { maxInFlightRequests: most } = this;
  return (most == null || this.inflight.size < most) && this.throttledUntil <= performance.now();
};

const { sendSocketRequest } = RequestQueue.prototype;
const sentAt = new WeakMap<object, number>();

RequestQueue.prototype.sendSocketRequest = function send(request): void {
  sentAt.set(request, performance.now());
  sendSocketRequest.call(this, request);
};

/**
 * Ends requests without a response. A consumer always waits for one, so this timer runs in an idle
 * service too: it took a fifth of its CPU time. A request may now exceed its timeout by a second.
 */
RequestQueue.prototype.scheduleRequestTimeoutCheck = function lookEachSecond(): void {
  if (!this.enforceRequestTimeout) return;
  this.destroy();
  this.requestTimeoutIntervalId = setInterval(() => {
    const now = performance.now();
    for (const request of [...this.inflight.values()])
      if (now - sentAt.get(request)! > request.requestTimeout) request.timeoutRequest();
    if (!this.isConnected()) this.destroy();
  }, timeoutCheckEveryMs);
};

const { heartbeat } = ConsumerGroup.prototype;

/**
 * Replaces a method of kafkajs 2.2.4, which measures the time since the last heartbeat by the wall
 * clock. After the clock was set back by an hour it would send none for an hour, and the group would
 * drop this member after 8 s. `lastRequest` in the future means such a step: the heartbeat is due.
 */
ConsumerGroup.prototype.heartbeat = function beat(options): Promise<void> {
  if (this.lastRequest > Date.now()) this.lastRequest = 0;
  return heartbeat.call(this, options);
};
