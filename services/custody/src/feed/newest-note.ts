import { cachedFor } from '@pto/concurrency';
import type { Sql } from '@pto/database';
import { lastCheckpoint } from '../checkpoints/stored-checkpoints.ts';
import { withCosignatures } from '../witness/published.ts';

/** Maximum age of a note in ms. A checkpoint is signed at most every second. */
const maxAgeMs = 200;

/**
 * Returns a function that returns the newest signed note with its cosignatures; undefined before the
 * first one. Calls within 200 ms share a read, so that polls do not cost three statements each.
 */
export const createNewestNote = (sql: Sql): (() => Promise<string | undefined>) =>
  cachedFor(maxAgeMs, async () => {
    const checkpoint = await lastCheckpoint(sql);
    return checkpoint ? (await withCosignatures(sql, checkpoint)).note : undefined;
  });
