/** How the values of a panel are written, by Grafana's names of units. */

const digits = (value: number, decimals?: number): string => {
  const places = decimals ?? (Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : 2);
  const text = value.toFixed(places);
  return decimals === undefined && text.includes('.') ? text.replace(/\.?0+$/, '') : text;
};

/** Returns the value with the largest unit of which it has at least one. */
const scaled = (
  value: number,
  units: readonly (readonly [number, string])[],
  decimals?: number,
): string => {
  const [size, unit] = units.find(([one]) => Math.abs(value) >= one) ?? units.at(-1)!;
  return `${digits(value / size, decimals)}${unit}`;
};

const counts = [
  [1e9, ' G'],
  [1e6, ' M'],
  [1e3, ' k'],
  [1, ''],
] as const;
const bytes = [
  [2 ** 30, ' GiB'],
  [2 ** 20, ' MiB'],
  [2 ** 10, ' KiB'],
  [1, ' B'],
] as const;
const durations = [
  [86_400, ' d'],
  [3600, ' h'],
  [60, ' min'],
  [1, ' s'],
  [1e-3, ' ms'],
  [1e-6, ' µs'],
] as const;

const count = (value: number, decimals?: number): string =>
  Math.abs(value) < 1 ? digits(value, decimals) : scaled(value, counts, decimals);

const formats: Readonly<Record<string, (value: number, decimals?: number) => string>> = {
  short: count,
  percentunit: (value, decimals) => `${digits(value * 100, decimals)} %`,
  reqps: (value, decimals) => `${count(value, decimals)}/s`,
  ops: (value, decimals) => `${count(value, decimals)}/s`,
  s: (value, decimals) => (value === 0 ? '0 s' : scaled(value, durations, decimals)),
  bytes: (value, decimals) => (value === 0 ? '0 B' : scaled(value, bytes, decimals)),
};

/**
 * Returns the value as text.
 * @throws Error for a unit without a format.
 */
export const formatValue = (unit: string, value: number, decimals?: number): string => {
  if (!Object.hasOwn(formats, unit)) throw new Error(`no format for the unit ${unit}`);
  return formats[unit]!(value, decimals);
};
