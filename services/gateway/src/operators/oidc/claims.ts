import { type OperatorRole, operatorRoles } from '@pto/proto/callers';
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
 * Returns the roles of the groups that the claim lists, in the order of `operatorRoles`. The claim
 * may be an array of strings or one string.
 */
export const rolesOf = (
  payload: JWTPayload,
  claim: string,
  mapping: readonly { role: OperatorRole; group: string }[],
): OperatorRole[] => {
  const value = claimAt(payload, claim);
  const groups: readonly unknown[] = Array.isArray(value) ? value : [value];
  const held = mapping.filter(({ group }) => groups.includes(group)).map(({ role }) => role);
  return operatorRoles.filter((role) => held.includes(role));
};

/**
 * Returns a person's display name: the e-mail address unless it is unverified, else the user name,
 * the name or the subject. A person may be able to choose the user name and the name.
 */
export const nameOf = (payload: JWTPayload): string => {
  const { email, email_verified: verified, preferred_username: username, name, sub } = payload;
  // some providers send `email_verified` as text
  const candidates = [`${verified}` === 'false' ? undefined : email, username, name, sub];
  const found = candidates.find((text) => typeof text === 'string' && text.trim() !== '');
  return String(found)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, nameMax);
};
