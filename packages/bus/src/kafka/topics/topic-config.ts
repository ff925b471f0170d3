import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs, { type Admin } from 'kafkajs';

const { ConfigResourceTypes, ConfigSource } = kafkajs;
const settleMs = 10_000;

/**
 * A topic's configuration: `own` has the values set for the topic, `effective` includes the
 * brokers' defaults.
 */
export interface TopicConfig {
  readonly name: string;
  readonly effective: ReadonlyMap<string, string>;
  readonly own: ReadonlyMap<string, string>;
}

export const describeTopics = async (
  admin: Admin,
  names: readonly string[],
): Promise<TopicConfig[]> => {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: names.map((name) => ({ type: ConfigResourceTypes.TOPIC, name })),
  });
  return resources.map(({ resourceName: name, configEntries }) => {
    const own = configEntries.filter(
      ({ configSource }) => configSource === ConfigSource.TOPIC_CONFIG,
    );
    const values = (entries: typeof own) =>
      new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
    return { name, effective: values(configEntries), own: values(own) };
  });
};

/**
 * Sets one configuration value on each topic and waits until the controller returns it.
 * AlterConfigs replaces all values set for a topic, so the topic's other values are sent as well.
 * @throws Error if the controller does not return the value within 10 s.
 */
export const alterTopics = async (
  admin: Admin,
  key: string,
  topics: readonly { config: TopicConfig; value: string }[],
): Promise<void> => {
  if (topics.length === 0) return;
  await admin.alterConfigs({
    validateOnly: false,
    resources: topics.map(({ config, value }) => ({
      type: ConfigResourceTypes.TOPIC,
      name: config.name,
      configEntries: [...new Map(config.own).set(key, value)].map(([name, own]) => ({
        name,
        value: own,
      })),
    })),
  });
  for (const end = performance.now() + settleMs; ; await sleep(100)) {
    const found = await describeTopics(
      admin,
      topics.map(({ config }) => config.name),
    );
    const wrong = topics.find(
      ({ config, value }) => found.find(({ name }) => name === config.name)?.own.get(key) !== value,
    );
    if (wrong === undefined) return;
    if (performance.now() > end)
      throw new Error(`${key} of topic ${wrong.config.name} was not changed within ${settleMs} ms`);
  }
};
