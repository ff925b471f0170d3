import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup.js';

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
