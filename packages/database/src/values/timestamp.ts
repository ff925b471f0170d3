/** A timestamptz as PostgreSQL prints it in UTC, to the microsecond and in ISO 8601. */
export const isoMicros = (text: string): string => {
  const [, day, time, fraction = ''] = /^(\S+) ([\d:]{8})(?:\.(\d+))?\+00$/.exec(text) ?? [];
  if (day === undefined) throw new Error(`not a timestamptz in UTC: ${text}`);
  return `${day}T${time}.${fraction.padEnd(6, '0')}Z`;
};

/** The same to the millisecond: the one form of every time that the public sees (decision 6). */
export const isoMillis = (text: string): string => `${isoMicros(text).slice(0, -4)}Z`;
