/**
 * The words of the pages in the person's language. The English text is the key, so that a page is read
 * as it is shown; a text without a row stays English. Names and texts that a person has written, and
 * messages of the API, are not translated.
 */
import { createElement, Fragment, type ReactNode } from 'react';

export type Language = 'en' | 'de';
export type Words = Readonly<Record<string, string>>;

/** The language of the browser, as far as there are words. */
export const browserLanguage = (): Language =>
  navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en';

let language: Language = 'en';
let words: Words = {};

/** Sets the language of the pages, before the first one is shown. */
export const setLanguage = (chosen: Language, table: Words): void => {
  language = chosen;
  words = table;
};

/** The language of the pages. */
export const shownLanguage = (): Language => language;

const rowOf = (english: string): string =>
  Object.hasOwn(words, english) ? words[english]! : english;

const places = /\{(\w+)\}/g;

/** Returns a text in the language of the pages. @param values stand for `{name}` in the text. */
export const t = (
  english: string,
  values: Readonly<Record<string, string | number>> = {},
): string => rowOf(english).replace(places, (all, name) => `${values[name] ?? all}`);

/** Returns a number as the language writes it. @param fraction its least number of decimals. */
export const number = (value: number, fraction = 0): string =>
  value.toLocaleString(language, {
    useGrouping: false,
    minimumFractionDigits: fraction,
    maximumFractionDigits: Math.max(2, fraction),
  });

/** The same as `t` with elements for `{name}`. */
export const rich = (english: string, values: Readonly<Record<string, ReactNode>>): ReactNode =>
  rowOf(english)
    .split(places)
    // odd ones are names
    .map((part, at) => createElement(Fragment, { key: at }, at % 2 === 1 ? values[part] : part));
