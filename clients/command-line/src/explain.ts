import {
  ApiError,
  AuthenticationError,
  BeyondFeedError,
  ConnectionFailedError,
  PermissionDeniedError,
  RateLimitError,
  TimedOutError,
  ValidationError,
} from '../../typescript/src/index.ts';

/** Returns an error in one line: what is wrong, and what to do next. */
export const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const next = nextOf(error);
  return next ? `${error.message}. ${next}` : error.message;
};

const nextOf = (error: Error): string | null => {
  if (error instanceof AuthenticationError)
    return 'The API does not accept the key: execute pto login with a valid one, or correct PTO_API_KEY.';
  if (error instanceof PermissionDeniedError)
    return 'Ask the operator for a key with this permission.';
  if (error instanceof RateLimitError) return `Repeat the command in ${error.retryAfter ?? 60} s.`;
  if (error instanceof BeyondFeedError)
    return `The number is of another organization, environment or installation: give --after 0 for all events, or --after ${error.newest} for those to come.`;
  if (error instanceof ValidationError)
    return error.errors.map(({ loc, msg }) => `${loc.join('.')}: ${msg}.`).join(' ');
  if (error instanceof ApiError && error.status >= 500)
    return 'Repeat the command; if it fails again, give the request id to the operator.';
  if (error instanceof TimedOutError || error instanceof ConnectionFailedError)
    return `${reasonOf(error)}Check the base URL and the network, then repeat the command.`;
  return null;
};

const reasonOf = (error: Error): string => {
  const code = systemCode(error);
  return code === null ? '' : `The system reports ${code}. `;
};

/** Returns the system's code of a failed connection, such as ECONNREFUSED; null without one. */
export const systemCode = ({ cause }: Error): string | null => {
  const { code } = ((cause as Error | undefined)?.cause ?? {}) as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : null;
};
