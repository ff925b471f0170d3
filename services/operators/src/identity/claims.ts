import { isUuid } from '@pto/database';
import { type CallingCarrier, type GrantedRole, grantedRoles } from '@pto/proto/callers';
import type { JWTPayload } from 'jose';

const nameMax = 200;

/** Returns the claim with this exact name, or at this path with dots (`realm_access.roles`). */
const claimAt = (payload: JWTPayload, name: string): unknown => {
  if (Object.hasOwn(payload, name)) return payload[name];
  return name.split('.').reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    return (value as Record<string, unknown>)[key];
  }, payload);
};

/**
 * Returns whether the provider says that it verified the e-mail address. Without that, a person can
 * enter the address of somebody else.
 */
const isEmailVerified = ({ email_verified: verified }: JWTPayload): boolean =>
  `${verified}` === 'true'; // some providers send it as text

/**
 * Returns the roles of the groups that the claim lists, in the order of `grantedRoles`. The claim
 * may be an array of strings or one string. The claim `email` counts only if it is verified.
 */
export const rolesOf = (
  payload: JWTPayload,
  claim: string,
  mapping: readonly { role: GrantedRole; group: string }[],
): GrantedRole[] => {
  const isTrusted = claim !== 'email' || isEmailVerified(payload);
  const value = isTrusted ? claimAt(payload, claim) : undefined;
  const groups: readonly unknown[] = Array.isArray(value) ? value : [value];
  const held = mapping.filter(({ group }) => groups.includes(group)).map(({ role }) => role);
  return grantedRoles.filter((role) => held.includes(role));
};

/**
 * Returns the roles of a person, with the carrier of one whose only role is `carrier`. That role
 * counts for nothing beside another one, and without the id of a carrier in the claim.
 */
export const rightsOf = (
  payload: JWTPayload,
  roles: readonly GrantedRole[],
  carrierClaim: string,
): { readonly roles: readonly GrantedRole[]; readonly carrier?: CallingCarrier } => {
  const others = roles.filter((role) => role !== 'carrier');
  const carrierId = claimAt(payload, carrierClaim);
  return others.length === 0 &&
    roles.length > 0 &&
    typeof carrierId === 'string' &&
    isUuid(carrierId)
    ? { roles, carrier: { carrierId } }
    : { roles: others };
};

/**
 * Returns a person's display name: the verified e-mail address; else the user name or the name,
 * each followed by the subject, because a person may be able to choose them; else the subject. The
 * identity is issuer and subject.
 */
export const nameOf = (payload: JWTPayload): string => {
  const { email, preferred_username: username, name, sub } = payload;
  if (isEmailVerified(payload) && isText(email)) return printable(email).slice(0, nameMax);
  const chosen = [username, name].find(isText);
  const subject = printable(`${sub}`);
  return chosen === undefined || chosen === sub
    ? subject
    : `${printable(chosen).slice(0, nameMax)} (${subject})`;
};

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '';

const printable = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').trim();
