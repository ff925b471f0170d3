import type { EgressFault } from '../egress/index.ts';

/** The result of one POST: a response of any status, or an error. */
export type Outcome =
  | { readonly statusCode: number; readonly retryAfter: string | undefined }
  | { readonly error: AttemptError };

/**
 * Why an attempt has no response. `lost`: the lease ended before a result was recorded, usually
 * because the process died; the request may have been sent. `unsigned`: the process sent nothing,
 * because the endpoint had no secret or a secret could not be decrypted.
 */
export type AttemptError = EgressFault | 'lost' | 'unsigned';

/** Whether the response has a 2xx status (contract 6.6). */
export const succeeded = (outcome: Outcome): boolean =>
  'statusCode' in outcome && outcome.statusCode >= 200 && outcome.statusCode <= 299;
