import { isUuid } from '@pto/database';
import { Failure } from '@pto/errors';

/** Returns the id if it is a UUID. @throws Failure NOT_FOUND for any other text */
export const requireId = (id: string, resource: string): string => {
  if (!isUuid(id)) throw notFound(resource);
  return id;
};

export const notFound = (resource: string): Failure =>
  new Failure('NOT_FOUND', `There is no such ${resource}.`, { details: { resource } });
