/**
 * Settings on which the statements and the texts of their results rest. A role, a database or the
 * server may have others (`alter role … set datestyle`).
 */
const pinned = {
  bytea_output: 'hex',
  datestyle: 'ISO, MDY',
  default_transaction_isolation: 'read committed',
  extra_float_digits: '1',
  intervalstyle: 'postgres',
  search_path: 'public',
  standard_conforming_strings: 'on',
  timezone: 'UTC',
} as const;

/**
 * Returns the startup parameter `options` of a session: the pinned settings and `more`. They
 * override the settings of role, database and server, without a round trip.
 */
export const sessionOptions = (more: Readonly<Record<string, string>> = {}): string =>
  Object.entries({ ...pinned, ...more })
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, String.raw`\$&`)}`)
    .join(' ');
