/**
 * Converts a timestamptz from PostgreSQL's UTC text to ISO 8601 with microseconds.
 * @throws Error for any other text.
 */
export const isoMicros = (text: string): string => {
  const [, day, time, fraction = ''] = /^(\S+) ([\d:]{8})(?:\.(\d+))?\+00$/.exec(text) ?? [];
  if (day === undefined) throw new Error(`not a timestamptz in UTC: ${text}`);
  return `${day}T${time}.${fraction.padEnd(6, '0')}Z`;
};

/**
 * Formats a timestamptz in UTC as ISO 8601 with milliseconds, the only time format of the public
 * API (decision 6).
 */
export const isoMillis = (text: string): string => `${isoMicros(text).slice(0, -4)}Z`;
