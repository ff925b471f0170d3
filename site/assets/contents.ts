/** Lists the sections of a page beside it, and marks the one that is read. */
export const startContents = (): void => {
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
