import { storeChoice } from './stored-choice.ts';

/** Switches between the light and the dark scheme, and stores the choice. */
export const startThemeSwitch = (): void => {
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
