import { Failure } from '@pto/errors';

/** A validation error in the one form of contract 2.6 (decision 1), for the operator's RPCs. */
export const invalid = (field: string, reason: string, input?: unknown): Failure =>
  new Failure('VALIDATION', `${field}: ${reason}`, {
    details: {
      detail: [
        {
          type: 'value_error',
          loc: [field],
          msg: `Value error, ${reason}`,
          ...(input !== undefined && { input }),
          ctx: { error: reason },
        },
      ],
    },
  });

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws Failure NOT_FOUND: what is no id is nobody's. */
export const requireId = (id: string, resource: string): string => {
  if (!uuid.test(id)) throw notFound(resource);
  return id;
};

export const notFound = (resource: string): Failure =>
  new Failure('NOT_FOUND', `There is no such ${resource}.`, { details: { resource } });
