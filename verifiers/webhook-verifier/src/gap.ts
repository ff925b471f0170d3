/**
 * Returns the first and the last missing number between the highest received `sequence` and this
 * event's. A gap is not yet a loss: deliveries of different orders are concurrent, and a failed
 * delivery is retried for up to 24 hours.
 * @param lastSequence the highest `sequence` so far; null before the first event.
 * @returns null if no number is missing, if this event is an earlier or the first one, or if it has
 *   no `sequence`.
 */
export const gap = (
  lastSequence: number | null,
  { sequence }: { readonly sequence?: number },
): { readonly from: number; readonly to: number } | null =>
  lastSequence === null || sequence === undefined || sequence <= lastSequence + 1
    ? null
    : { from: lastSequence + 1, to: sequence - 1 };
