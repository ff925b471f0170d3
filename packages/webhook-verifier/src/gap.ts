/**
 * The numbers that are missing between the highest one that was seen at this endpoint and this
 * delivery, both ends included. A gap is not yet a loss: orders are delivered side by side, and
 * what failed comes again for up to 24 hours.
 * @param lastSequence the highest `sequence` so far; null before the first.
 * @returns null where nothing is missing, the delivery is an earlier one, or it has no number.
 */
export const gap = (
  lastSequence: number | null,
  { sequence }: { readonly sequence?: number },
): { readonly from: number; readonly to: number } | null =>
  lastSequence === null || sequence === undefined || sequence <= lastSequence + 1
    ? null
    : { from: lastSequence + 1, to: sequence - 1 };
