/**
 * Returns the seconds of a `Retry-After` header, a delay or a date (RFC 9110, 10.2.3); null if the
 * header is absent or malformed.
 */
export const retryAfterSeconds = (header: string | null, nowMs: number): number | null => {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = /^[A-Za-z]{3}/.test(header) ? Date.parse(header) : Number.NaN; // the weekday
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1000));
};
