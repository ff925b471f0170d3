/** German words: see index.ts. */
export const endpoints = {};
