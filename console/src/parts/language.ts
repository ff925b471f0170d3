import { browserLanguage, type Language, setLanguage, type Words } from './words.ts';

const stored = 'language';

const isLanguage = (text: string | null): text is Language => text === 'en' || text === 'de';

/** Shows the pages in the language that the person has chosen, else in that of the browser. */
export const beginInLanguage = (german: Words, english: Words = {}): void => {
  const chosen = localStorage.getItem(stored);
  const language = isLanguage(chosen) ? chosen : browserLanguage();
  document.documentElement.lang = language;
  setLanguage(language, language === 'de' ? german : english);
};

/** Remembers the language in this browser, and shows the page in it. */
export const chooseLanguage = (language: Language): void => {
  localStorage.setItem(stored, language);
  location.reload();
};
