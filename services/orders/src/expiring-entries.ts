/**
 * Returns a map whose entries expire. If it exceeds a limit, the oldest entries are dropped.
 * @param bytesMax maximum sum of the entries' estimated bytes.
 * @param bytesOf estimates the memory of a value.
 */
export const createExpiringEntries = <Value>(
  {
    entriesMax,
    bytesMax,
    maxAgeMs,
  }: Readonly<Record<'entriesMax' | 'bytesMax' | 'maxAgeMs', number>>,
  bytesOf: (value: Value) => number,
) => {
  /** In the order in which the entries were set. */
  const entries = new Map<string, { value: Value; bytes: number; at: number }>();
  let bytes = 0;
  const drop = (name: string): void => {
    bytes -= entries.get(name)?.bytes ?? 0;
    entries.delete(name);
  };
  return {
    /** Returns the value, or undefined if there is none or if it has expired. */
    get: (name: string, now: number): Value | undefined => {
      const entry = entries.get(name);
      return entry && now - entry.at < maxAgeMs ? entry.value : undefined;
    },
    /** @param at the time at which the value was read, from which on its age counts. */
    set: (name: string, value: Value, at: number): void => {
      drop(name);
      const entry = { value, bytes: bytesOf(value), at };
      entries.set(name, entry);
      bytes += entry.bytes;
      for (const [oldest, { at: setAt }] of entries) {
        const isFull = entries.size > entriesMax || bytes > bytesMax;
        if (!isFull && at - setAt < maxAgeMs) break;
        drop(oldest);
      }
    },
  };
};
