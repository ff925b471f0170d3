/**
 * Decides when the auditor audits new entries, and when it audits the next page of the full audit.
 * The pages are spread over time: read one after the other, they take a core from the calls of
 * partners for seconds.
 * @param settings.pauseMs between two audits of new entries.
 * @param settings.fullRate entries, leaves and notes per second of the full audit.
 */
export const auditSchedule = (
  { pauseMs, fullRate }: { pauseMs: number; fullRate: number },
  now: () => number = () => performance.now(),
) => {
  let newEntriesAt = Number.NEGATIVE_INFINITY;
  let pageAt = Number.NEGATIVE_INFINITY;
  return {
    areNewEntriesDue: (): boolean => now() >= newEntriesAt,
    newEntriesAudited: (): void => {
      newEntriesAt = now() + pauseMs;
    },
    /**
     * The next page begins when the rate allows it, and rests at least as long as this page took. A
     * completed full audit begins again after the next audit of new entries.
     * @param begunAt time by `now` at which the page began.
     * @param read number of entries, leaves and notes that were read.
     */
    pageAudited: (begunAt: number, { read, isComplete }: { read: number; isComplete: boolean }) => {
      const endedAt = now();
      const restedAt = endedAt + (endedAt - begunAt);
      pageAt = Math.max(begunAt + (read * 1000) / fullRate, restedAt);
      if (isComplete) pageAt = Math.max(pageAt, newEntriesAt);
    },
    /** Time in ms until an audit is due. */
    waitMs: (): number => Math.max(0, Math.min(newEntriesAt, pageAt) - now()),
  };
};
