/** What V8's garbage collector costs a process, read from the process's own metrics. */

/** Heap in use in MiB, and seconds of garbage collection so far by kind (`major`, `minor`, …). */
export interface HeapUse {
  readonly usedMiB: number;
  readonly seconds: Readonly<Record<string, number>>;
}

/** Reads the metrics of a process. @param metricsUrl of the stack's file. */
export const heapUse = async (metricsUrl: string): Promise<HeapUse> => {
  const text = await (await fetch(metricsUrl)).text();
  const used = /^nodejs_heap_size_used_bytes\{.*\} (\S+)$/m.exec(text)?.[1];
  const seconds: Record<string, number> = {};
  for (const [, kind, value] of text.matchAll(
    /^nodejs_gc_duration_seconds_sum\{.*kind="(\w+)".*\} (\S+)$/gm,
  ))
    seconds[kind!] = Number(value);
  return { usedMiB: Number(used) / 2 ** 20, seconds };
};

/** The share of a core that each kind of collection took between two readings, as text. */
export const collectionText = (before: HeapUse, after: HeapUse, seconds: number): string =>
  Object.entries(after.seconds)
    .map(([kind, total]) => {
      const share = (total - (before.seconds[kind] ?? 0)) / seconds;
      return `${kind} ${(share * 100).toFixed(1)}`;
    })
    .join(', ');
