/** Makes tabs of groups of code blocks. The chosen language is stored and applies to all groups. */
export const startTabs = (): void => {
  const groups = [...document.querySelectorAll<HTMLElement>('.tabs')].map(makeGroup);
  const chosen = readChoice('language');
  if (chosen) for (const group of groups) group(chosen);
  document.addEventListener('click', ({ target }) => {
    const tab = target instanceof HTMLElement ? target.closest<HTMLElement>('[role=tab]') : null;
    const name = tab?.dataset.name;
    if (name === undefined) return;
    storeChoice('language', name);
    const before = tab!.getBoundingClientRect().top;
    for (const group of groups) group(name);
    scrollBy({ top: tab!.getBoundingClientRect().top - before, behavior: 'instant' });
  });
};

let count = 0;

/** Returns a function that shows the panel of a name, if the group has one. */
const makeGroup = (group: HTMLElement): ((name: string) => void) => {
  const panels = [...group.querySelectorAll<HTMLElement>(':scope > .tab')];
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language');
  const tabs = panels.map((panel) => {
    const name = panel.dataset.tab ?? '';
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.textContent = name;
    tab.dataset.name = name;
    tab.setAttribute('role', 'tab');
    panel.id ||= `tab-${++count}`;
    tab.id = `${panel.id}-name`;
    tab.setAttribute('aria-controls', panel.id);
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    list.append(tab);
    return tab;
  });
  const show = (name: string): void => {
    if (!tabs.some((tab) => tab.dataset.name === name)) return;
    tabs.forEach((tab, n) => {
      const isShown = tab.dataset.name === name;
      tab.setAttribute('aria-selected', `${isShown}`);
      tab.tabIndex = isShown ? 0 : -1;
      panels[n]!.hidden = !isShown;
    });
  };
  list.addEventListener('keydown', ({ key }) => {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const now = tabs.indexOf(document.activeElement as HTMLButtonElement);
    const next = tabs[(now + step + tabs.length) % tabs.length];
    next?.focus();
    next?.click();
  });
  group.prepend(list);
  group.classList.add('made');
  show(tabs[0]?.dataset.name ?? '');
  return show;
};

/** Returns a stored choice, or null where the browser stores nothing. */
const readChoice = (name: string): string | null => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

export const storeChoice = (name: string, value: string): void => {
  try {
    localStorage.setItem(name, value);
  } catch {
    // the choice holds for this page alone
  }
};
