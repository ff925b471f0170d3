/**
 * Returns the first and the last missing number between the highest received `sequence` and this
 * event's. A gap is not yet a loss: deliveries of different orders are concurrent, and a failed
 * delivery is retried for up to 24 hours.
 * @param lastSequence the highest `sequence` so far; null before the first.
 * @returns null if no number is missing, the event is an earlier one, or it has no number.
 */
export const gap = (
  lastSequence: number | null,
  { sequence }: { readonly sequence?: number },
): { readonly from: number; readonly to: number } | null =>
  lastSequence === null || sequence === undefined || sequence <= lastSequence + 1
    ? null
    : { from: lastSequence + 1, to: sequence - 1 };
