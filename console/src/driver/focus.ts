/**
 * Gives the focus to what comes next when the element that had it is gone, so that a screen reader
 * says it: after a record the next step's heading or button, after the camera the button that opened
 * it, on another page its heading.
 */
const targets = ['legend', '[type=submit]', 'h1', 'button, summary'];

/** Watches the document for as long as it is open. */
export const keepFocus = (): void => {
  let [last, around]: [Element?, Element[]?] = [];
  const remember = ({ target }: Event) => {
    last = (target as Element).closest('a, button, summary, input, legend, h1') ?? undefined;
    around = [];
    for (let one = last?.parentElement; one; one = one.parentElement) around.push(one);
  };
  // a tap gives the focus in some browsers alone
  for (const name of ['focusin', 'click']) document.addEventListener(name, remember, true);
  new MutationObserver(() => {
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    for (const place of around!.filter((one) => one.isConnected)) {
      const isPage = place.querySelector('main') !== null;
      for (const target of isPage ? ['h1'] : targets) {
        const found = place.querySelector<HTMLElement>(target);
        if (!found) continue;
        if (!/BUTTON|SUMMARY/.test(found.tagName)) found.tabIndex = -1;
        found.focus({ preventScroll: true });
        return;
      }
    }
  }).observe(document.body, { childList: true, subtree: true });
};
