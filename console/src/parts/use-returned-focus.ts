import { useRef } from 'react';

/**
 * Returns what a dialog does with the focus: at its end the element that opened it gets it again. If
 * the command has removed that element, the first button beside it gets it, else the page.
 */
export const useReturnedFocus = () => {
  const opener = useRef<HTMLElement>(null);
  const section = useRef<Element>(null);
  return {
    initialFocus: () => {
      opener.current = document.activeElement as HTMLElement | null;
      section.current = opener.current?.closest('section, main') ?? null;
      return true;
    },
    finalFocus: () =>
      opener.current?.isConnected && opener.current !== document.body
        ? opener.current
        : (section.current?.querySelector<HTMLElement>('button') ??
          document.querySelector<HTMLElement>('#content')),
  };
};
