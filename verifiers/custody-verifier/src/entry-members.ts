/** Reads the members of a custody entry. Pure. Accepts any JSON value, because anybody may have written it. */

export type Members = Readonly<Record<string, unknown>>;

/** Returns the value if it is a JSON object, else an object without members. */
export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};

/**
 * Returns the value of a payload's field. For a commitment it is the disclosed value (decision 70),
 * or `otherwise` if the entry does not have it.
 */
export const disclosedOr = (entry: Members, field: string, otherwise: string): unknown => {
  const member = membersOf(entry.payload)[field];
  if (!Object.hasOwn(membersOf(member), 'commitment')) return member;
  const disclosed = membersOf(entry.disclosed);
  return Object.hasOwn(disclosed, field) ? membersOf(disclosed[field]).value : otherwise;
};
