import { randomBytes, randomUUID } from 'node:crypto';
import type { OutgoingMessage } from '@pto/bus';
import { uuidv7 } from '@pto/database';

const valueBytes = 300;

/** Messages of as many orders, each with a value of 300 bytes. */
export const newMessages = (topic: string, count: number): OutgoingMessage[] =>
  Array.from({ length: count }, () => ({
    topic,
    key: randomUUID(),
    id: uuidv7(),
    type: 'order.submitted',
    value: randomBytes(valueBytes),
  }));
