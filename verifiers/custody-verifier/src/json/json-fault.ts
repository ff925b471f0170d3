/**
 * Returns why a value would change when it is written as JSON and read again, or null if it would
 * not.
 * @param depthMax maximum number of nested arrays and objects, including the value itself.
 */
export const jsonFault = (value: unknown, depthMax: number): string | null => {
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value === 'string') return textFault(value);
  if (typeof value === 'number') return numberFault(value);
  if (typeof value !== 'object') return `no JSON value: ${typeof value}`;
  if (depthMax === 0) return 'nested too deeply';
  if (Array.isArray(value)) {
    for (const item of value) {
      const fault = jsonFault(item, depthMax - 1);
      if (fault) return fault;
    }
    return null;
  }
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name];
    const fault = textFault(name) ?? jsonFault(member, depthMax - 1);
    if (fault) return fault;
  }
  return null;
};

const textFault = (text: string): string | null =>
  text.isWellFormed() ? null : 'a lone surrogate is no text';

const numberFault = (value: number): string | null => {
  if (!Number.isFinite(value)) return 'a number is not finite';
  return Object.is(value, -0) ? '-0 is written as 0' : null;
};
