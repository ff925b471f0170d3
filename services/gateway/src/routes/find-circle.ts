import { readCircles } from '@pto/access';
import { within } from '@pto/lifecycle';
import type { LinkedCircle } from '@pto/representation';
import type { Redis } from 'ioredis';

/** Reads where the driver of an order is, if anyone knows; null: not known. */
export type FindCircle = (orderId: string) => Promise<LinkedCircle | null>;

const timeoutMs = 100;

/** Returns a function that reads circles from Redis; without Redis, and while it fails, there are none. */
export const circlesOf =
  (redis: Redis | null): FindCircle =>
  async (orderId) => {
    if (redis === null) return null;
    const read = readCircles(redis, [orderId]);
    const [circle = null] = await within(timeoutMs, 'a circle', read).catch(() => []);
    return circle;
  };
