import { randomBytes } from 'node:crypto';

/**
 * Returns a unique name, e.g. `orders_3f9a0c1d22b4`, for a database, a topic, a consumer group or a
 * key prefix. It has lower-case letters, digits and underscores only.
 */
export const uniqueName = (prefix: string): string =>
  `${prefix.toLowerCase().replace(/[^a-z0-9_]+/g, '_')}_${randomBytes(6).toString('hex')}`;
