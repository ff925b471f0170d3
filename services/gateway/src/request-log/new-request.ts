import { errorLines } from '@pto/access';
import type { RowsOf } from '@pto/database';
import type { EndedRequest } from '../http/observer.ts';
import type { tables } from '../schema/tables.ts';
import { shownErrors } from './shown-errors.ts';
import { shownPath, withoutSecrets } from './shown-path.ts';

/** A row that is not stored yet. */
export type NewRequest = RowsOf<typeof tables>['requests'];

/**
 * Returns the row of a request; undefined without a valid key, and for what the pages of the portal
 * read again and again: a partner looks for the requests of the integration.
 * @param names the names that errors show (`shownErrors`).
 */
export const newRequest = (
  { exchange, method, path, status, durationMs, requestId }: EndedRequest,
  basePath: string,
  names: ReadonlySet<string>,
): NewRequest | undefined => {
  const key = exchange.credentials ?? exchange.deniedKey;
  if (key?.isSession && method === 'GET' && status < 400) return undefined;
  const { failure } = exchange;
  const scope = failure?.details?.required_scope;
  return (
    key && {
      organization_id: key.organization.id,
      id: exchange.id,
      key_id: key.keyId,
      method,
      path: shownPath(path, basePath),
      operation: exchange.operation ?? null,
      status,
      // the response to a validation error has no code (contract 2.6)
      code: failure === undefined || failure.kind === 'VALIDATION' ? null : failure.kind,
      // a client may choose any text
      request_id: requestId === exchange.id ? null : withoutSecrets(requestId),
      duration_ms: durationMs,
      left_out: null,
      errors: failure ? errorLines(shownErrors(failure, names)) : null,
      required_scope: typeof scope === 'string' ? scope : null,
    }
  );
};
