import { invalid } from '@pto/errors';
import { requireCidrs } from './allowed-cidrs.ts';
import { requireName } from './require-name.ts';
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

/** Reads a key's name, which may be absent. @throws Failure VALIDATION */
export const keyNameOrNull = (text: string): string | null =>
  requireName(text, { min: 0, max: nameMax }) || null;

export const cidrsOrNull = (texts: readonly string[]): string[] | null =>
  texts.length === 0 ? null : requireCidrs(texts);
