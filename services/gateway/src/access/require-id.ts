import { isUuid } from '@pto/database';
import { Failure } from '@pto/errors';

/** @throws Failure NOT_FOUND: what is no id is nobody's. */
export const requireId = (id: string, resource: string): string => {
  if (!isUuid(id)) throw notFound(resource);
  return id;
};

export const notFound = (resource: string): Failure =>
  new Failure('NOT_FOUND', `There is no such ${resource}.`, { details: { resource } });
