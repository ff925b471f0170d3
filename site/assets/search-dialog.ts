/** Opens the search by its button, `/` or Ctrl-K; the index is loaded when it is first opened. */
export const startSearch = (): void => {
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
