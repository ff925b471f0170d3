import MiniSearch from 'minisearch';
import { searchOptions, shownResults } from './search-options.ts';

interface Found {
  readonly page: string;
  readonly heading: string;
  readonly url: string;
  readonly excerpt: string;
}

let isAttached = false;

/** Loads the index and shows results while the reader types. */
export const attachSearch = async (dialog: HTMLDialogElement): Promise<void> => {
  if (isAttached) return;
  isAttached = true;
  const input = dialog.querySelector('input')!;
  const list = dialog.querySelector('ol')!;
  const state = dialog.querySelector('.search-state')!;
  // the attribute is a relative address, and so is the root that it implies
  const address = new URL(document.documentElement.dataset.search!, location.href);
  const root = new URL('../', address);
  const response = await fetch(address);
  const index = MiniSearch.loadJSON(await response.text(), searchOptions);
  const show = (): void => {
    const words = input.value.trim();
    const found = shownResults(index.search(words) as unknown as Found[]);
    list.replaceChildren(...found.map((one) => item(one, root)));
    input.setAttribute('aria-expanded', `${found.length > 0}`);
    state.textContent = words !== '' && found.length === 0 ? `Nothing found for “${words}”.` : '';
  };
  input.addEventListener('input', show);
  dialog.addEventListener('keydown', (event) => move(event, dialog));
  show();
};

const item = ({ page, heading, url, excerpt }: Found, root: URL): HTMLLIElement => {
  const link = document.createElement('a');
  link.href = new URL(url.slice(1), root).href;
  const title = document.createElement('strong');
  title.textContent = heading === '' ? page : `${page}: ${heading}`;
  const text = document.createElement('span');
  text.textContent = excerpt;
  link.append(title, text);
  link.addEventListener('click', () => link.closest('dialog')?.close());
  const entry = document.createElement('li');
  entry.append(link);
  return entry;
};

/** The arrow keys move through the results; Enter in the field opens the first. */
const move = (event: KeyboardEvent, dialog: HTMLDialogElement): void => {
  const links = [...dialog.querySelectorAll<HTMLElement>('ol a')];
  const input = dialog.querySelector('input')!;
  const now = links.indexOf(document.activeElement as HTMLElement);
  if (event.key === 'Enter' && document.activeElement === input) {
    event.preventDefault();
    links[0]?.click();
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  const next = now + (event.key === 'ArrowDown' ? 1 : -1);
  (links[next] ?? (next < 0 ? input : links.at(-1)))?.focus();
};
