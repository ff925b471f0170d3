import { type ApiError, apiError, ServerError } from '../errors.ts';
import type { ValidationErrorEntry } from '../types.ts';
import { retryAfterSeconds } from './retry-after.ts';

/** Returns the error of a response whose status is not 2xx. */
export const errorOf = (response: Response, text: string): ApiError => {
  const content = contentOf(text);
  return content ? apiError({ ...headOf(response), ...content }) : foreignResponse(response);
};

/**
 * Returns the error of a response that is not one of the API, whatever its status: a 404 of a proxy
 * does not say that there is no such order.
 */
export const foreignResponse = (
  response: Response,
  message = 'the response is not one of the API; check the base URL and proxies',
  cause?: unknown,
): ServerError => {
  const content = { code: 'UNEXPECTED_RESPONSE', message, details: {}, errors: [] };
  return new ServerError({ ...headOf(response), ...content }, { cause });
};

const headOf = ({ status, headers }: Response) => ({
  status,
  requestId: headers.get('x-request-id'),
  retryAfter: retryAfterSeconds(headers.get('retry-after'), Date.now()),
});

/**
 * Parses an error body: the envelope, or the `detail` array of a validation error (contract 7).
 * Returns null for any other body.
 */
const contentOf = (text: string) => {
  const body = parsed(text);
  const error = body?.error;
  if (isObject(error) && typeof error.code === 'string')
    return {
      code: error.code,
      message: `${error.message}`,
      details: isObject(error.details) ? error.details : {},
      errors: [],
    };
  if (Array.isArray(body?.detail)) {
    const errors: ValidationErrorEntry[] = body.detail;
    const message = errors.map(({ loc, msg }) => `${loc?.join('.')}: ${msg}`).join('; ');
    return { code: 'VALIDATION', message, details: {}, errors };
  }
  return null;
};

const parsed = (text: string): Record<string, unknown> | null => {
  try {
    const body = JSON.parse(text);
    return isObject(body) ? body : null;
  } catch {
    return null;
  }
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
