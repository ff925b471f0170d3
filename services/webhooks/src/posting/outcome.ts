import type { EgressFault } from '../egress/index.ts';

/** The result of one POST: a response of any status, or an error. */
export type Outcome =
  | { readonly statusCode: number; readonly retryAfter: string | undefined }
  | { readonly error: AttemptError };

/**
 * Why there was no response. `lost`: the process ended before it recorded the attempt. `unsigned`:
 * this process could not decrypt the secret.
 */
export type AttemptError = EgressFault | 'lost' | 'unsigned';

/** Whether the response has a 2xx status (contract 6.6). */
export const succeeded = (outcome: Outcome): boolean =>
  'statusCode' in outcome && outcome.statusCode >= 200 && outcome.statusCode <= 299;
