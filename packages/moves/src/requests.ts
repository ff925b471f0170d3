import { isUuid } from '@pto/database';
import { Failure } from '@pto/errors';
import { Level } from '@pto/proto/moves/v1/moves';
import type { Held } from './move-fences.ts';

/** Returns the organization of a request, as PostgreSQL writes its id. @throws Failure VALIDATION */
export const requireOrganization = ({ organizationId }: Pick<Held, 'organizationId'>): string => {
  if (isUuid(organizationId)) return organizationId.toLowerCase();
  throw new Failure('VALIDATION', 'organization_id is not a UUID.');
};

/** Greatest token: that of PostgreSQL's bigint. */
const tokenMax = 2n ** 63n - 1n;

/** Returns the organization and the token of a request. @throws Failure VALIDATION */
export const heldOf = (request: Held): Held => {
  const { token } = request;
  if (token < 1n || token > tokenMax)
    throw new Failure('VALIDATION', `token is not a number from 1 to ${tokenMax}.`);
  return { organizationId: requireOrganization(request), token };
};

/** @throws Failure VALIDATION for a level that this release does not know */
export const requireLevel = (level: Level): Level => {
  if (level >= Level.WORK && level <= Level.ARRIVING) return level;
  throw new Failure('VALIDATION', 'level is not a known level.');
};
