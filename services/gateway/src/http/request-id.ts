import { newRequestId } from '@pto/telemetry';

export const requestIdHeader = 'X-Request-Id';

const form = /^[\w.:+/=@-]{1,128}$/;

/** Returns the client's request id if its form is safe for a log line, else a new one. */
export const requestIdOf = (header: string | string[] | undefined): string =>
  typeof header === 'string' && form.test(header) ? header : newRequestId();
