import { readFileSync } from 'node:fs';

/**
 * Returns whether a file is in the context of `docker build`, by the rules of `.dockerignore`: the
 * last pattern that matches the path or a parent decides. A folder that is left out is searched
 * only if an exception begins with its literal path.
 */
export const buildContext = (ignoreFile: string): ((path: string) => boolean) => {
  const patterns = readFileSync(ignoreFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isException: line.startsWith('!'), text: line.replace(/^!/, '') }))
    .map((pattern) => ({ ...pattern, regex: regexOf(pattern.text) }));
  const isLeftOut = (path: string): boolean => {
    const last = patterns.findLast(({ regex }) =>
      [path, ...parentsOf(path)].some((one) => regex.test(one)),
    );
    return last !== undefined && !last.isException;
  };
  const isSearched = (folder: string): boolean =>
    !isLeftOut(folder) ||
    patterns.some(({ isException, text }) => isException && `${text}/`.startsWith(`${folder}/`));
  return (path) => !isLeftOut(path) && parentsOf(path).every(isSearched);
};

/** The folders that contain the path, without the context's own. */
const parentsOf = (path: string): string[] => {
  const parts = path.split('/');
  return parts.slice(1).map((_, n) => parts.slice(0, n + 1).join('/'));
};

const regexOf = (pattern: string): RegExp => {
  const parts = pattern.split(/(\*\*\/|\*)/).map((part) => {
    if (part === '**/') return '(?:.*/)?';
    return part === '*' ? '[^/]*' : part.replaceAll(/[.+^$(){}|[\]\\?]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
};
