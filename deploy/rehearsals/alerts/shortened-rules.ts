/** By how much the times of the rules are divided, so that an alert of an hour fires in 2 minutes. */
export const factor = 30;

const leastSeconds = 6;
/** The longest `for`: partitions are rotated once an hour, so a rehearsal sees one failure. */
const mostForSeconds = 30;
/** Age of the last full audit: a day of it would be 48 minutes of the rehearsal. */
const fullAuditSeconds = 60;
const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 };

const secondsOf = (count: string, unit: string): number =>
  Math.max(leastSeconds, Math.round((Number(count) * unitSeconds[unit]!) / factor));

const shortened = (count: string, unit: string): string => `${secondsOf(count, unit)}s`;

/** Thresholds that are ages in seconds. */
const ages =
  /((?:outbox_oldest_unsent|custody_audit_age|custody_oldest_unstored_event|custody_log_unanchored|custody_witness_behind|webhook_oldest_due)_seconds\)\s*>\s*)(\d+)/g;

const fullAuditAge = /(custody_full_audit_age_seconds\)\s*>\s*)\d+/g;

/**
 * Returns the text of a file of rules with shorter times: `for`, ranges, offsets, the intervals of
 * groups, and thresholds that are ages. Shares, counts and the two alerts on expiry stay.
 */
export const shortenRules = (text: string): string =>
  text
    .replaceAll(
      /\bfor: (\d+)([mhd])\b/g,
      (_, n, unit) => `for: ${Math.min(mostForSeconds, secondsOf(n, unit))}s`,
    )
    .replaceAll(/\binterval: (\d+)([mhd])\b/g, (_, n, unit) => `interval: ${shortened(n, unit)}`)
    .replaceAll(/\[(\d+)([mhd])\]/g, (_, n, unit) => `[${shortened(n, unit)}]`)
    .replaceAll(/\boffset (\d+)([mhd])\b/g, (_, n, unit) => `offset ${shortened(n, unit)}`)
    .replaceAll(ages, (_, head, n) => `${head}${Math.ceil(Number(n) / factor)}`)
    .replaceAll(fullAuditAge, (_, head) => `${head}${fullAuditSeconds}`);
