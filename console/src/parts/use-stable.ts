import { useCallback, useRef } from 'react';

/** Returns a function that stays the same and calls the newest `act`: what has it is not drawn again. */
export const useStable = <Given extends readonly unknown[]>(
  act: (...given: Given) => void,
): ((...given: Given) => void) => {
  const latest = useRef(act);
  latest.current = act;
  return useCallback((...given) => latest.current(...given), []);
};
