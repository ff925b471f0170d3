/** On a narrow window the list of pages begins closed; elsewhere the open page is in view. */
export const startSideMenu = (): void => {
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
