import { invalid } from '@pto/errors';
import { requireCidrs } from './allowed-cidrs.ts';
import { isScope, scopes } from './scopes.ts';

export const overlapDefaultSeconds = 24 * 3600;
export const overlapMaxSeconds = 7 * 24 * 3600;
export const expiryMaxSeconds = 10 * 366 * 24 * 3600;
const limitMax = 1_000_000;
const nameMax = 100;

export const requireScopes = (names: readonly string[]): string[] => {
  const unknown = names.find((name) => !isScope(name));
  if (unknown !== undefined || names.length === 0)
    throw invalid(['scopes'], `expected some of ${scopes.join(', ')}`, unknown);
  return scopes.filter((scope) => names.includes(scope));
};

export const requireLimit = (limit: number, field: string): number | null => {
  if (limit > limitMax) throw invalid([field], `at most ${limitMax}`, limit);
  return limit === 0 ? null : limit;
};

/**
 * Trims a key's name.
 * @returns null for an empty name.
 * @throws Failure VALIDATION for a name that is too long or has control characters
 */
export const requireName = (text: string): string | null => {
  const name = text.trim();
  if ([...name].length > nameMax || /\p{Cc}/u.test(name))
    throw invalid(['name'], `expected at most ${nameMax} printable characters`, text);
  return name === '' ? null : name;
};

export const cidrsOrNull = (texts: readonly string[]): string[] | null =>
  texts.length === 0 ? null : requireCidrs(texts);
