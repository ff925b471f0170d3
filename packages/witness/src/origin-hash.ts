import { createHash } from 'node:crypto';

/** SHA-256 of a log's origin in hex: its folder, and its path in the monitoring interface. */
export const originHash = (origin: string): string =>
  createHash('sha256').update(origin).digest('hex');
