/**
 * Milliseconds to wait by a `Retry-After` header (RFC 9110: seconds or an HTTP date), or undefined
 * where it is absent, malformed or in the past.
 */
export const retryAfterMs = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000 || undefined;
  const at = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return at > now ? at - now : undefined;
};

const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
