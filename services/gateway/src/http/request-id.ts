import { newRequestId } from '@pto/telemetry';

const form = /^[\w.:+/=@-]{1,128}$/;

/** The caller's own id where it can stand in a log line as it is, else a new one. */
export const requestIdOf = (header: string | string[] | undefined): string =>
  typeof header === 'string' && form.test(header) ? header : newRequestId();
