import { readFileSync } from 'node:fs';

/** The code blocks of a README in one language, in their order. */
export const snippetsOf = (path: string, language: string): string[] => {
  const text = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'));
  return [...blocks].map(([, code]) => code!);
};
