import { useRef } from 'react';

/** For so long after a dialog, the answer of its command may remove the element that opened it. */
const answerMaxMs = 15_000;

/**
 * Returns what a dialog does with the focus: at its end the element that opened it gets it again. If
 * the command has removed that element, or removes it when its answer has been read, what the keys
 * act on or the first button beside it gets it, else the page.
 */
export const useReturnedFocus = () => {
  const opener = useRef<HTMLElement>(null);
  const section = useRef<Element>(null);
  const within = (selector: string) => section.current?.querySelector<HTMLElement>(selector);
  const beside = () => within('[tabindex="0"]') ?? within('button') ?? pageElement();
  return {
    initialFocus: () => {
      opener.current = document.activeElement as HTMLElement | null;
      section.current = opener.current?.closest('section, main') ?? null;
      return true;
    },
    finalFocus: () => {
      const element = opener.current;
      const isPage = element === document.body || element === pageElement();
      if (!element?.isConnected || isPage) {
        // the page draws first what the command has changed; the dialog would focus the page's first
        // field, which then takes the keys of the page
        requestAnimationFrame(() => {
          if (document.activeElement === document.body)
            (isPage ? pageElement() : beside())?.focus();
        });
        return false;
      }
      whenRemoved(element, () => {
        if (document.activeElement === document.body) beside()?.focus();
      });
      return element;
    },
  };
};

const pageElement = () => document.querySelector<HTMLElement>('#content');

/** Calls `then` if the element is removed within `answerMaxMs`. */
const whenRemoved = (element: Element, then: () => void): void => {
  const observer = new MutationObserver(() => {
    if (element.isConnected) return;
    observer.disconnect();
    then();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), answerMaxMs);
};
