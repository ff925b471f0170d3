/**
 * Returns the wait of a `Retry-After` header (RFC 9110: seconds or an HTTP date) in milliseconds.
 * Returns undefined if the header is absent, malformed, 0 or in the past.
 * @param now milliseconds since the epoch.
 */
export const retryAfterMs = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000 || undefined;
  const at = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return at > now ? at - now : undefined;
};

const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
