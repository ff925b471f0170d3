/**
 * Returns the first and the last number missing between `lastSequence` and this event's `sequence`.
 * A gap does not prove a loss: deliveries of different orders are concurrent, and a failed delivery
 * is retried for up to 24 hours.
 * @param lastSequence the highest `sequence` that the receiver has received; null before the first
 *   event.
 * @returns null if no number is missing, if this event is the first event or its `sequence` is
 *   lower than the highest, or if it has no `sequence`.
 */
export const gap = (
  lastSequence: number | null,
  { sequence }: { readonly sequence?: number },
): { readonly from: number; readonly to: number } | null =>
  lastSequence === null || sequence === undefined || sequence <= lastSequence + 1
    ? null
    : { from: lastSequence + 1, to: sequence - 1 };
