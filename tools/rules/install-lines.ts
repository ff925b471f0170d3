/**
 * Which packages a text tells to install. Nobody of us owns our packages' names on a registry, so an
 * install line names the URL of the file below `/downloads` (decision 89).
 */

/** Whether the rule applies: to every text but tests, the changelog and this file. */
export const isChecked = (path: string): boolean =>
  !/(?:^|\/)test\/|^CHANGELOG\.md$|^tools\/rules\/install-lines\.ts$/.test(path);

const install =
  /\b(?:npm (?:install|i|add|exec)|(?:yarn|pnpm|bun) add|pip3? install|uv (?:pip install|add|tool install)|pipx (?:install|run)|composer require|npx)\b[^\n`]*/g;
/** A file of ours, alone or as the direct reference of a Python package with extras. */
const served = /(?:partner-transport-orders(?:\[\w+\])? @ )?https:\/\/HOST\/downloads\/[\w.-]+/g;
const ours = /@pto\/|partner[-_]transport[-_]orders/;
/**
 * `npx` without `--no-install` takes a program that is not installed from the registry. `--no` would
 * take the program's name for its value.
 */
const unguarded = /^npx (?!--no-install )(?:-\S+ )*(?:pto|custody-verify)\b/;

/** Returns the install lines of a text that name a package of ours without its URL. */
export const installLineViolations = (path: string, text: string): string[] =>
  [...text.matchAll(install)].flatMap(([line]) => {
    if (unguarded.test(line)) return [`${path}: "${line.trim()}" needs --no-install behind npx`];
    if (!ours.test(line.replaceAll(served, ''))) return [];
    return [`${path}: "${line.trim()}" names a package that no registry has: name its URL`];
  });
