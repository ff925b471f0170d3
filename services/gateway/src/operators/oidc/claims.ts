import { type OperatorRole, operatorRoles } from '@pto/proto/callers';
import type { JWTPayload } from 'jose';

const nameMax = 200;

/** The claim of that exact name, or at that path with dots (`realm_access.roles`). */
const claimAt = (payload: JWTPayload, name: string): unknown => {
  if (Object.hasOwn(payload, name)) return payload[name];
  return name.split('.').reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    return (value as Record<string, unknown>)[key];
  }, payload);
};

/** The roles of the groups that the claim lists, be it an array of strings or one string; in the table's order. */
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

/** A person's name for people: a verified e-mail address before names that the person may choose. */
export const nameOf = (payload: JWTPayload): string => {
  const { email, email_verified: verified, preferred_username: username, name, sub } = payload;
  // some providers send it as text
  const candidates = [`${verified}` === 'false' ? undefined : email, username, name, sub];
  const found = candidates.find((text) => typeof text === 'string' && text.trim() !== '');
  return String(found).replace(/\p{C}/gu, ' ').trim().slice(0, nameMax);
};
