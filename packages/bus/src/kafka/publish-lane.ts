import { createBatches } from '@pto/concurrency';
import type { OutgoingMessage } from '../bus.ts';

type Messages = readonly OutgoingMessage[];

/** Kafka rejects a batch of more than 1 MiB. A larger message is sent alone. */
const requestBytesMax = 800_000;

/** The size of messages in bytes: each counts as its value and 300 bytes. */
const bytesOf = (messages: Messages): number =>
  messages.reduce((sum, { value }) => sum + value.byteLength + 300, 0);

/**
 * Returns a function that sends messages, one request at a time: with several requests in flight,
 * kafkajs can reorder or lose the messages of a retried request. Calls that come meanwhile share the
 * next request. If a request fails, each of its calls rejects, and no later message of these calls
 * is sent.
 */
export const createPublishLane = (
  send: (messages: Messages) => Promise<void>,
): ((messages: Messages) => Promise<void>) =>
  createBatches<Messages, void>(
    async (calls) => {
      for (const request of requests(calls.flat())) await send(request);
      return () => {};
    },
    { inFlightMax: 1, batchMax: 1000, weight: { of: bytesOf, max: requestBytesMax } },
  );

/** Splits the messages of one call that exceed a request. */
const requests = (messages: Messages): OutgoingMessage[][] => {
  const split: OutgoingMessage[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    bytes += bytesOf([message]);
    if (bytes > requestBytesMax) {
      split.push([]);
      bytes = bytesOf([message]);
    }
    split.at(-1)!.push(message);
  }
  return split;
};
