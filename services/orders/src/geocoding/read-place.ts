import type { Place } from './geocoder.ts';

/** Maximum lengths of a location's texts in code points (contract 2.3). */
const lengths = { street: 255, zip: 20, city: 100, country: 10 } as const;

/**
 * Validates the parts of a geocoder's response. Returns the place. Returns null if a part is
 * missing, a text is too long or has characters that PostgreSQL cannot store, or a coordinate is
 * out of range.
 */
export const readPlace = (parts: { readonly [K in keyof Place]: unknown }): Place | null => {
  const { street, zip, city, country, lat, lng } = parts;
  if (!isDegree(lat, 90) || !isDegree(lng, 180)) return null;
  const texts = { street, zip, city, country };
  const sound = Object.entries(lengths).every(([name, max]) =>
    isText(texts[name as keyof typeof texts], max),
  );
  return sound ? { ...(texts as Record<keyof typeof texts, string>), lat, lng } : null;
};

const isDegree = (value: unknown, max: number): value is number =>
  typeof value === 'number' && Math.abs(value) <= max;

const isText = (value: unknown, max: number): boolean =>
  typeof value === 'string' &&
  value.isWellFormed() &&
  !value.includes('\0') &&
  value.length > 0 &&
  [...value].length <= max;
