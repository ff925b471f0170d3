/**
 * Returns a custody time as day and UTC time; the text itself if it is no such time. Seconds are
 * shown unless they are 0.
 * @param at RFC 3339 in UTC, such as `2026-11-27T09:30:00.000Z`.
 * @param day writes a day `YYYY-MM-DD`.
 */
export const clockTime = (at: string, day: (isoDay: string) => string): string => {
  const form = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)?(?:\.\d+)?Z$/;
  const [, date, minutes, seconds = ':00'] = form.exec(at) ?? [];
  if (date === undefined) return at;
  return `${day(date)}, ${minutes}${seconds === ':00' ? '' : seconds} UTC`;
};

/** Returns a duration in hours, minutes and seconds, such as `1 h 5 min`. */
export const duration = (seconds: number): string => {
  const whole = Math.round(seconds);
  const parts = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const;
  const shown = parts.filter(([value]) => value > 0).map(([value, unit]) => `${value} ${unit}`);
  return shown.length > 0 ? shown.join(' ') : '0 s';
};
