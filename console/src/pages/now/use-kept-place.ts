import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import { useEffect, useRef } from 'react';

export const focusCard = (id: string, options: FocusOptions = {}) =>
  document.querySelector<HTMLElement>(`[data-order="${id}"]`)?.focus(options);

/**
 * Goes on in the same column when the current card leaves it after the person's step: the card that
 * has its place becomes the current one. A card that is alone stays the current one.
 * @param isDone whether the person did something to an order. No other change moves the keys' aim.
 */
export const useKeptPlace = (
  columns: readonly (readonly OpenOrder[])[],
  currentId: string,
  setCurrent: (id: string) => void,
  isDone: (id: string) => boolean,
): void => {
  const place = useRef({ id: '', column: -1, at: -1 });
  useEffect(() => {
    const before = place.current;
    const column = columns.findIndex((one) => one.some(({ id }) => id === currentId));
    const at = columns[column]?.findIndex(({ id }) => id === currentId) ?? -1;
    place.current = { id: currentId, column, at };
    if (before.id !== currentId || column === before.column || !isDone(currentId)) return;
    const left = columns[before.column];
    const follower = left?.[before.at] ?? left?.at(-1);
    if (!follower) return;
    setCurrent(follower.id);
    const focused = document.activeElement;
    // the focus was on the card, and is not taken from a window or an order
    if (focused === document.body || focused?.closest('.board'))
      focusCard(follower.id, { preventScroll: true });
  }, [columns, currentId, setCurrent, isDone]);
};
