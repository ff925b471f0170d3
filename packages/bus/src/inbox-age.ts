/**
 * How long an inbox remembers that an event was handled: at least as long as Kafka can deliver it
 * again. An inbox row's age counts from the event's id, which is made before the message is sent, and
 * Kafka deletes whole segments, not messages. So, in days (inbox-age.test.ts checks the sum):
 *
 *   inboxDays >= sending delayed by + retention + segment + margin
 *   16        >= 7                  + 7         + 1       + 1
 */
export const inboxDays = 16;

/** Messages that wait in an outbox for longer may have a second effect if they are delivered twice. */
export const sendDelayDaysMax = 7;

/** A segment holds messages of at most this time: `segment.ms` of the declared topics. */
export const segmentDays = 1;

/** The cleaner's interval, and clocks that differ. */
export const marginDays = 1;

const dayMs = 86_400_000;
export const segmentMs = segmentDays * dayMs;

/** Longest `retention.ms` of a topic whose messages an inbox remembers: 7 days. */
export const retentionMsMax = (inboxDays - sendDelayDaysMax - segmentDays - marginDays) * dayMs;
