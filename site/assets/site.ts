/** What every page runs. Each part does nothing where its elements are missing. */
import { startTabs, storeChoice } from './tabs.ts';

/** Lists the sections of a page beside it, and marks the one that is read. */
const startContents = (): void => {
  const list = document.querySelector('nav.contents');
  const headings = [...document.querySelectorAll<HTMLElement>('article h2[id]')];
  if (!list || headings.length < 2 || headings.length > headingsMax) return;
  const links = headings.map((heading) => {
    const link = document.createElement('a');
    link.href = `#${heading.id}`;
    link.textContent = heading.firstChild?.textContent ?? '';
    return link;
  });
  const title = document.createElement('p');
  title.textContent = 'On this page';
  list.append(title, ...links);
  const mark = (): void => {
    const read = headings.findLastIndex((heading) => heading.getBoundingClientRect().top < 120);
    links.forEach((link, n) => {
      if (n === read) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    });
  };
  addEventListener('scroll', mark, { passive: true });
  mark();
};

const headingsMax = 40;

/** Adds a button to each code block that copies its text. */
const startCopyButtons = (): void => {
  if (!navigator.clipboard) return;
  for (const figure of document.querySelectorAll('figure.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(figure.querySelector('code')?.textContent ?? '');
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, shownMs);
    });
    figure.querySelector('figcaption')?.append(button);
  }
};

const shownMs = 1500;

/** On a narrow window the list of pages begins closed; elsewhere the open page is in view. */
const startSideMenu = (): void => {
  const menu = document.querySelector<HTMLDetailsElement>('.side-menu');
  if (!menu) return;
  const wide = matchMedia('(min-width: 60rem)');
  const adapt = (): void => {
    menu.open = wide.matches;
  };
  wide.addEventListener('change', adapt);
  adapt();
  const side = menu.parentElement;
  const current = menu.querySelector<HTMLElement>('[aria-current=page]');
  if (side && current && wide.matches) side.scrollTop = current.offsetTop - side.clientHeight / 2;
};

/** Switches between the light and the dark scheme, and stores the choice. */
const startThemeSwitch = (): void => {
  const button = document.querySelector<HTMLButtonElement>('button.theme');
  if (!button) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    const { dataset } = document.documentElement;
    const isDark = dataset.theme
      ? dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    dataset.theme = isDark ? 'light' : 'dark';
    storeChoice('theme', dataset.theme);
  });
};

/** Opens the search by its button, `/` or Ctrl-K; the index is loaded when it is first opened. */
const startSearch = (): void => {
  const dialog = document.querySelector<HTMLDialogElement>('dialog.search');
  const opener = document.querySelector<HTMLButtonElement>('button.search-open');
  if (!dialog || !opener) return;
  opener.hidden = false;
  const open = async (): Promise<void> => {
    if (dialog.open) return;
    dialog.showModal();
    const { attachSearch } = await import('./search-results.ts');
    await attachSearch(dialog);
  };
  opener.addEventListener('click', open);
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea');
    const isShortcut =
      (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
    if (!isShortcut) return;
    event.preventDefault();
    void open();
  });
};

startThemeSwitch();
startSideMenu();
startTabs();
startCopyButtons();
startContents();
startSearch();
