/** By how much the times of the rules are divided, so that an alert of an hour fires in 2 minutes. */
export const factor = 30;

const leastSeconds = 6;
const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 };

const shortened = (count: string, unit: string): string =>
  `${Math.max(leastSeconds, Math.round((Number(count) * unitSeconds[unit]!) / factor))}s`;

/** Thresholds that are ages in seconds. */
const ages =
  /((?:outbox_oldest_unsent|custody_audit_age|custody_oldest_unstored_event|custody_log_unanchored|custody_witness_behind|webhook_oldest_due)_seconds\)\s*>\s*)(\d+)/g;

/**
 * Returns the text of a file of rules with shorter times: `for`, ranges, offsets, the intervals of
 * groups, and thresholds that are ages. Shares, counts and the two alerts on expiry stay.
 */
export const shortenRules = (text: string): string =>
  text
    .replaceAll(
      /\b(for|interval): (\d+)([mhd])\b/g,
      (_, name, n, unit) => `${name}: ${shortened(n, unit)}`,
    )
    .replaceAll(/\[(\d+)([mhd])\]/g, (_, n, unit) => `[${shortened(n, unit)}]`)
    .replaceAll(/\boffset (\d+)([mhd])\b/g, (_, n, unit) => `offset ${shortened(n, unit)}`)
    .replaceAll(ages, (_, head, n) => `${head}${Math.ceil(Number(n) / factor)}`);
