import { useEffect } from 'react';
import { isTyping } from './frame.tsx';
import { useStable } from './use-stable.ts';

/** Runs the action of a key that is pressed outside of fields and dialogs. @param keys by `event.key`. */
export const useKeys = (keys: Readonly<Record<string, () => void>>): void => {
  const pressed = useStable((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) || !Object.hasOwn(keys, event.key)) return;
    // Enter on a button is that button's
    if (event.key === 'Enter' && (event.target as Element).closest?.('button, a')) return;
    event.preventDefault();
    keys[event.key]!();
  });
  useEffect(() => {
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [pressed]);
};
