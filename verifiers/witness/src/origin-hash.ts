import { createHash } from 'node:crypto';

/**
 * Returns the SHA-256 hash of a log's origin in hex. It names the log's folder and its path in the
 * monitoring interface.
 */
export const originHash = (origin: string): string =>
  createHash('sha256').update(origin).digest('hex');
