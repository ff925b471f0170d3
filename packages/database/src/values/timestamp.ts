/**
 * Formats a timestamptz, PostgreSQL's text in UTC, as ISO 8601 with milliseconds, the only time
 * format of the public API (decision 6).
 * @throws Error for any other text.
 */
export const isoMillis = (text: string): string => {
  const [, day, time, fraction = ''] = /^(\S+) ([\d:]{8})(?:\.(\d+))?\+00$/.exec(text) ?? [];
  if (day === undefined) throw new Error(`not a timestamptz in UTC: ${text}`);
  return `${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
};

/**
 * Returns a timestamptz, PostgreSQL's text in UTC, in whole milliseconds since the epoch.
 * @throws Error for any other text.
 */
export const epochMillis = (text: string): number => Date.parse(isoMillis(text));
