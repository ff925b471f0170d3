import { invalid } from '@pto/errors';

/**
 * Rejects a date of calibration that does not exist or is after the day of the last reading.
 * @param lastReadingAt `YYYY-MM-DDTHH:mm:ss.sssZ`; its day is the one in UTC.
 * @throws Failure VALIDATION at `["device", "calibration_date"]`
 */
export const requireCalibrationDate = (date: string, lastReadingAt: string): void => {
  const path = ['device', 'calibration_date'];
  if (!isDate(date)) throw invalid(path, 'expected a date such as 2026-01-31', date.slice(0, 40));
  if (date > dayOf(lastReadingAt))
    throw invalid(path, `the date is after the last reading, ${dayOf(lastReadingAt)}`, date);
};

/**
 * Returns whether a calibration is more than one calendar year older than the first reading. The
 * same day of the next year is within the year.
 *
 * The EU guidelines on good distribution practice (2013/C 343/01, chapter 9) want a calibration at
 * least once a year.
 */
export const hasCalibrationExpired = (date: string, firstReadingAt: string): boolean => {
  // after a 29 February the text of the limit is no date, but lies between two dates
  const lastDay = `${String(Number(date.slice(0, 4)) + 1).padStart(4, '0')}${date.slice(4)}`;
  return dayOf(firstReadingAt) > lastDay;
};

const dayOf = (at: string): string => at.slice(0, 10);

const isDate = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  // Date.parse takes 31 November for 1 December
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
};
