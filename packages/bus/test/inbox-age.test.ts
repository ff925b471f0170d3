import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { topicAccess } from '@pto/proto/topics';
import { parse } from 'yaml';
import {
  inboxDays,
  marginDays,
  retentionMsMax,
  segmentDays,
  sendDelayDaysMax,
} from '../src/inbox-age.ts';
import { notRemembered, parseTopic } from '../src/kafka/topics/declare-topics.ts';

const dayMs = 86_400_000;
const chart = new URL('../../../deploy/helm/partner-api/values.yaml', import.meta.url);

/** Every KAFKA_TOPICS in the chart's values. */
const declared = (value: unknown): string[] =>
  value === null || typeof value !== 'object'
    ? []
    : Object.entries(value).flatMap(([name, inner]) =>
        name === 'KAFKA_TOPICS' ? [`${inner}`] : declared(inner),
      );

test('an inbox remembers an event for as long as the chart lets Kafka deliver it again', () => {
  const topics = declared(parse(readFileSync(chart, 'utf8')))
    .join()
    .replaceAll(/\{\{[^}]*\}\}/g, '1/1')
    .split(',')
    .map((text) => parseTopic(text.trim()));
  const consumed = topicAccess.filter(({ consumers }) => consumers.length > 0);
  expect(consumed.length).toBeGreaterThan(0);
  for (const { topic } of consumed) {
    const { retentionMs } = topics.find(({ name }) => name === topic)!;
    const longestDays = sendDelayDaysMax + retentionMs / dayMs + segmentDays + marginDays;
    expect([retentionMs > 0, longestDays <= inboxDays]).toEqual([true, true]);
  }
  expect(notRemembered(topics, {})).toEqual([]);
});

test('a consumed topic that keeps messages for longer is named', () => {
  const { topic } = topicAccess.find(({ consumers }) => consumers.length > 0)!;
  const topics = [parseTopic(`${topic}=12/7d/1/1`), parseTopic('another=1/forever/1/1')];
  expect(notRemembered(topics, {})).toEqual([]);
  const longer = retentionMsMax + 1;
  expect(notRemembered(topics, { [topic]: longer })).toEqual([{ topic, retentionMs: longer }]);
  expect(notRemembered(topics, { [topic]: -1 })).toEqual([{ topic, retentionMs: -1 }]);
});
