const form = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * Parses a time such as `2026-01-15T09:30:00Z`. Without an offset it is UTC (decision 6), whatever
 * the time zone of the process. Digits after milliseconds are dropped.
 * @returns milliseconds since 1970
 * @throws Error for any other text, for a date or a time of day that does not exist, and for years
 *   outside of 1 to 9999 in UTC
 */
export const parseInstantMs = (text: string): number => {
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone = 'Z'] =
    form.exec(text) ?? [];
  if (year === undefined) throw new Error('expected a time such as 2026-01-15T09:30:00Z');
  const stated = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const utcMs = Date.parse(`${stated}Z`);
  // Date.parse takes 31 November for 1 December, and 24:00 for the next day
  if (Number.isNaN(utcMs) || new Date(utcMs).toISOString().slice(0, stated.length) !== stated)
    throw new Error(`the date or time of day does not exist: ${stated}`);
  const ms = utcMs + Number(`0${fraction.slice(0, 4)}`) * 1000 - offsetMs(zone);
  if (ms < firstMs || ms > lastMs) throw new Error('the year in UTC must be 1 to 9999');
  return Math.trunc(ms);
};

const firstMs = Date.parse('0001-01-01T00:00:00Z');
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

const offsetMs = (zone: string): number => {
  if (/^z$/i.test(zone)) return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  if (hours > 23 || minutes > 59) throw new Error(`the offset does not exist: ${zone}`);
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
};
