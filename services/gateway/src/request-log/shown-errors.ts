import { loggedErrors, type RequestError } from '@pto/access';
import type { Failure } from '@pto/errors';
import type { Fault, Loc } from '../validation/schema.ts';

const fieldMax = 150;
const shownType = /^\w{1,40}$/;

/**
 * Returns the fields and types of a failure's first errors, without messages and values. A name
 * that is none of `names` is `*`, because a client may have invented it.
 */
export const shownErrors = (
  { kind, details }: Pick<Failure, 'kind' | 'details'>,
  names: ReadonlySet<string>,
): RequestError[] => {
  const shown = (loc: Loc, type: string): RequestError => ({
    field: loc
      .map((part) => (typeof part === 'number' || names.has(part) ? part : '*'))
      .join('.')
      .slice(0, fieldMax),
    type: shownType.test(type) ? type : '*',
  });
  const { detail, field } = details ?? {};
  if (kind === 'VALIDATION' && Array.isArray(detail))
    return (detail as readonly Fault[])
      .slice(0, loggedErrors)
      .map(({ loc, type }) => shown(loc, type));
  return typeof field === 'string' ? [shown(field.split('.'), kind)] : [];
};
