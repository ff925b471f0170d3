import { randomBytes } from 'node:crypto';

/**
 * A name nobody else has, e.g. `orders_3f9a0c1d22b4`: for a database, a topic, a consumer group or
 * a key prefix. Lower case, digits and underscores only.
 */
export const uniqueName = (prefix: string): string =>
  `${prefix.toLowerCase().replace(/[^a-z0-9_]+/g, '_')}_${randomBytes(6).toString('hex')}`;
