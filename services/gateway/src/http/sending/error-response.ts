import { type Failure, kinds } from '@pto/errors';
import { json, type PartnerResponse } from './partner-response.ts';

/**
 * Returns the HTTP response for a failure: the envelope of contract 7, or the form of contract 2.6
 * for validation errors.
 */
export const errorResponse = (failure: Failure): { status: number; content: PartnerResponse } => {
  const { kind, message, details, retryAfterSeconds } = failure;
  const status = kinds[kind].http;
  const headers = {
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...((retryAfterSeconds !== undefined || status === 503) && {
      'Retry-After': `${retryAfterSeconds ?? 1}`,
    }),
    ...(kind === 'METHOD_NOT_ALLOWED' && { Allow: `${details?.allow}` }),
  };
  const body =
    kind === 'VALIDATION'
      ? { detail: details?.detail ?? [{ type: 'value_error', loc: [], msg: message }] }
      : { error: { code: kind, message, ...(details && { details }) } };
  return { status, content: json(body, headers) };
};
