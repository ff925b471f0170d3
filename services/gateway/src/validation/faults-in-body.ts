import { Failure } from '@pto/errors';
import type { Fault } from './schema.ts';

/**
 * Throws the faults that a service has found in a request with their place in the body (contract
 * 2.6). Orders names the logger's members `device`.
 */
export const throwFaultsInBody = (thrown: unknown): never => {
  const detail =
    thrown instanceof Failure && thrown.kind === 'VALIDATION' && thrown.details?.detail;
  if (!Array.isArray(detail)) throw thrown;
  const placed = (detail as readonly Fault[]).map((fault) => ({
    ...fault,
    loc: ['body', ...fault.loc.filter((part) => part !== 'device')],
  }));
  throw new Failure('VALIDATION', (thrown as Failure).message, { details: { detail: placed } });
};
