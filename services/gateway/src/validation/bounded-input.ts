/** Maximum size of the `input` of a fault as JSON, in characters (decision 76). */
const inputMax = 1024;

/**
 * Returns the `input` of a fault, or nothing if it is larger: the parent of a missing member is its
 * `input`, so one large body with four missing members would be returned four times, and would be in
 * memory until its response is sent.
 */
export const boundedInput = (input: unknown): { readonly input?: unknown } =>
  input !== undefined && leftAfter(input, inputMax) >= 0 ? { input } : {};

/** Returns how much of `left` characters the JSON of a value leaves, without making that JSON. */
const leftAfter = (value: unknown, left: number): number => {
  if (typeof value === 'string') return left - value.length - 2;
  if (typeof value !== 'object' || value === null) return left - `${value}`.length;
  if (ArrayBuffer.isView(value)) return -1; // the text of a large body
  let rest = left - 2;
  for (const name in value) {
    if (rest < 0) break;
    rest -= Array.isArray(value) ? 1 : name.length + 4;
    rest = leftAfter((value as Record<string, unknown>)[name], rest);
  }
  return rest;
};
