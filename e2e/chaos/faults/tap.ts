/** Listens to the events' topics and can send their messages again. */
import { randomUUID } from 'node:crypto';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { busSettings, type IncomingMessage, openBus } from '@pto/bus';
import { readConfig } from '@pto/config';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { custodyEventsTopic, orderEventsTopic } from '@pto/proto/topics';
import { createTelemetry } from '@pto/telemetry';

const tappedTopics = { orders: orderEventsTopic, custody: custodyEventsTopic };
type TappedTopic = keyof typeof tappedTopics;

const copiesMax = 20;

/** Joins the bus as a group of its own; the topics must exist. */
export const openTap = async (env: Readonly<Record<string, string>>) => {
  const { settings } = readConfig(busSettings, env);
  const bus = await openBus(settings, createTelemetry({ service: 'chaos', write: () => {} }));
  const heard: IncomingMessage[] = [];
  const handle = async (batch: readonly IncomingMessage[]) => void heard.push(...batch);
  for (const topic of Object.values(tappedTopics))
    await bus.subscribe({ group: `chaos.${topic}`, topic, handle });
  const again = ({ partition: _, offset: __, ...message }: IncomingMessage) => message;
  return {
    /** Sends up to 20 earlier messages again, newest first. @param share 0..1: where they stand. */
    duplicate: async (topic: TappedTopic, share: number) => {
      const found = heard.filter((message) => message.topic === tappedTopics[topic]);
      const from = Math.max(0, Math.floor(share * found.length) - copiesMax);
      const chosen = found.slice(from, from + copiesMax).reverse();
      if (chosen.length > 0) await bus.publish(chosen.map(again));
    },
    /** Sends bytes that are no event under a key. @returns the message's event id. */
    poison: async (topic: TappedTopic, key: string | undefined) => {
      const id = randomUUID();
      const value = Buffer.from(`no event ${id}`);
      const message = { topic: tappedTopics[topic], id, type: 'order.submitted', value };
      await bus.publish([{ ...message, key: key ?? id }]);
      return id;
    },
    /** Sends an earlier event on as the order's next one, with the proof of the earlier one. @returns its id. */
    forge: async (topic: TappedTopic, share: number) => {
      const found = heard.filter((message) => message.topic === tappedTopics[topic]);
      const chosen = found[Math.floor(share * found.length)];
      if (!chosen) return undefined;
      const id = randomUUID();
      const last = found.filter(({ key }) => key === chosen.key).length;
      const value = forgeries[topic](chosen.value, id, last + 1);
      await bus.publish([{ ...again(chosen), id, value }]);
      return id;
    },
    close: () => bus.close(),
  };
};

/** An event's bytes with another id and number, and the proof of origin that it had. */
type Forgery = (value: Uint8Array, id: string, sequence: number) => Uint8Array;

/** By the topic's short name. */
const forgeries: Readonly<Record<TappedTopic, Forgery>> = {
  orders: (value, id, sequence) => {
    const event = fromBinary(OrderEventSchema, value);
    return toBinary(OrderEventSchema, { ...event, id, sequence });
  },
  custody: (value, id, sequence) => {
    const { event, ...rest } = fromBinary(CustodyEventSchema, value);
    const forged = { ...event!, id, sequence };
    return toBinary(CustodyEventSchema, { ...rest, event: forged, sequence });
  },
};
