import type { Bus } from './bus.ts';

/**
 * Returns a bus whose topics and groups have the prefix in Kafka and nowhere else, so that cells can
 * share a Kafka cluster.
 */
export const withTopicPrefix = (bus: Bus, prefix: string): Bus => {
  if (prefix === '') return bus;
  return {
    ...bus,
    publish: (messages) =>
      bus.publish(messages.map((one) => ({ ...one, topic: `${prefix}${one.topic}` }))),
    subscribe: (options) =>
      bus.subscribe({
        ...options,
        group: `${prefix}${options.group}`,
        topic: `${prefix}${options.topic}`,
        handle: (batch, signal) =>
          options.handle(
            batch.map((one) => ({ ...one, topic: options.topic })),
            signal,
          ),
      }),
    ensureTopics: (topics) =>
      bus.ensureTopics(topics.map((one) => ({ ...one, name: `${prefix}${one.name}` }))),
    ends: (topic) => bus.ends(`${prefix}${topic}`),
    lag: (group, topic, upTo) => bus.lag(`${prefix}${group}`, `${prefix}${topic}`, upTo),
  };
};
