/** Adds a button to each code block that copies its text. */
export const startCopyButtons = (): void => {
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
