/**
 * Number of days for which an inbox remembers that an event was handled: at least as long as Kafka
 * can deliver the event again. The age of an inbox row counts from the event's id, which is made
 * before the message is sent. Kafka deletes segments, not single messages. So, in days
 * (inbox-age.test.ts checks the sum):
 *
 *   inboxDays >= sending delayed by + retention + segment + margin
 *   16        >= 7                  + 7         + 1       + 1
 */
export const inboxDays = 16;

/**
 * Maximum age in days of an event when its outbox message is published. An older event may be
 * parked (`requireRemembered`).
 */
export const sendDelayDaysMax = 7;

/** Maximum time span of the messages in a segment: `segment.ms` of the declared topics. */
export const segmentDays = 1;

/** Margin for the interval of Kafka's log cleaner and for clocks that differ. */
export const marginDays = 1;

const dayMs = 86_400_000;
/** Age in ms up to which an inbox remembers an event, whatever the margin of clocks. */
export const rememberedMs = (inboxDays - marginDays) * dayMs;

export const segmentMs = segmentDays * dayMs;

/** Maximum `retention.ms` of a topic, such that `inboxDays` suffices for its events: 7 days. */
export const retentionMsMax = (inboxDays - sendDelayDaysMax - segmentDays - marginDays) * dayMs;
