import type { EgressFault } from '../egress/index.ts';

/** What became of one POST. */
export type Outcome =
  | { readonly statusCode: number; readonly retryAfter: string | undefined }
  | { readonly error: AttemptError };

/**
 * Why there was no answer. `lost`: the attempt was begun, and the process that made it did not
 * live to tell. `unsigned`: its secret could not be opened here.
 */
export type AttemptError = EgressFault | 'lost' | 'unsigned';

/** Any 2xx, nothing else (contract 6.6). */
export const succeeded = (outcome: Outcome): boolean =>
  'statusCode' in outcome && outcome.statusCode >= 200 && outcome.statusCode <= 299;
