import type { Texts } from '../texts/en.ts';

/** Returns the temperature limits in °C as text; empty if there are none. */
export const limitsText = (texts: Texts, min: number | null, max: number | null): string => {
  const [from, to] = [min, max].map((limit) =>
    limit === null ? '' : texts.temperature(limit, 'celsius'),
  ) as [string, string];
  if (from !== '' && to !== '') return texts.conditions.between(from, to);
  if (from !== '') return texts.conditions.atLeast(from);
  return to === '' ? '' : texts.conditions.atMost(to);
};
