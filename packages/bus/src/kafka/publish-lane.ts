import { Failure } from '@pto/errors';
import type { OutgoingMessage } from '../bus.ts';

/** Maximum number of messages per request. */
const sendMessagesMax = 1000;
/**
 * Maximum size of a request in bytes, where each message counts as its value and 300 bytes. A
 * larger message is sent alone. Kafka rejects a batch of more than 1 MiB.
 */
const sendBytesMax = 800_000;
/**
 * Maximum number of waiting messages. A call whose messages would exceed it rejects, unless no
 * message waits.
 */
const waitingMax = 20_000;

interface Call {
  left: number;
  failed: boolean;
  resolve(): void;
  reject(error: unknown): void;
}

interface Waiting {
  readonly message: OutgoingMessage;
  readonly call: Call;
}

export interface PublishLane {
  publish(messages: readonly OutgoingMessage[]): Promise<void>;
  /** Resolves when no message is waiting or being sent. */
  idle(): Promise<void>;
}

/**
 * Sends one request at a time: with several requests in flight, kafkajs can reorder or lose the
 * messages of a retried request. Messages of calls that arrive meanwhile share the next request, up
 * to its limits. If a request fails, each call with a message in the request rejects, and messages
 * of that call that were not sent yet are dropped.
 */
export const createPublishLane = (
  send: (messages: readonly OutgoingMessage[]) => Promise<void>,
): PublishLane => {
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  const next = (): Waiting[] => {
    let bytes = 0;
    let n = 0;
    for (; n < waiting.length && n < sendMessagesMax; n++) {
      bytes += waiting[n]!.message.value.byteLength + 300;
      if (n > 0 && bytes > sendBytesMax) break;
    }
    return waiting.splice(0, n);
  };

  const run = async () => {
    while (waiting.length > 0) {
      const batch = next();
      try {
        await send(batch.map(({ message }) => message));
        for (const { call } of batch) if (--call.left === 0) call.resolve();
      } catch (error) {
        for (const { call } of batch) {
          call.failed = true;
          call.reject(error);
        }
        waiting = waiting.filter(({ call }) => !call.failed);
      }
    }
    running = undefined;
  };

  return {
    publish: (messages) =>
      new Promise((resolve, reject) => {
        if (messages.length === 0) return resolve();
        if (waiting.length > 0 && waiting.length + messages.length > waitingMax) {
          return reject(
            new Failure('SERVICE_UNAVAILABLE', 'Too many messages wait for the message bus.'),
          );
        }
        const call = { left: messages.length, failed: false, resolve, reject };
        for (const message of messages) waiting.push({ message, call });
        running ??= run();
      }),
    idle: async () => {
      await running;
    },
  };
};
