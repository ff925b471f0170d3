import { expect, test } from '@jest/globals';
import { consume, type SubscribeOptions } from '../../src/index.ts';
import { consumingService } from './consuming-service.ts';

test('a consumer counts messages that the bus has lost, from 0 on', async () => {
  const { bus, db, group, topic, telemetry, stop } = await consumingService();
  let subscribed: SubscribeOptions | undefined;
  const subscribe = (options: SubscribeOptions) => {
    subscribed = options;
    return bus.subscribe(options);
  };
  const consumer = await consume({ ...bus, subscribe }, db, {
    group,
    topic,
    telemetry,
    rejection: () => undefined,
    handle: async () => {},
  });
  const counted = async () => {
    const metric = await telemetry.metrics.getSingleMetric('bus_messages_lost_total')!.get();
    return metric.values.map(({ labels, value }) => [labels.group, labels.topic, value]);
  };
  expect(await counted()).toEqual([[group, topic, 0]]);
  subscribed!.lost!(3);
  expect(await counted()).toEqual([[group, topic, 3]]);
  await consumer.stop();
  await stop();
});
