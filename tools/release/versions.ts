/** Where the version of a release stands in the repository. All packages have one version. */

/** Returns the text with the new version in place of the old one. */
type Change = (text: string, from: string, to: string) => string;

const escaped = (version: string): string => version.replaceAll('.', '\\.');

/** Replaces the version behind what the pattern matches, at each of its places. */
const behind =
  (pattern: string): Change =>
  (text, from, to) =>
    text.replace(new RegExp(`(${pattern})${escaped(from)}(?![\\w.])`, 'gm'), `$1${to}`);

/** The package's own version, and those of the packages of this repository that it depends on. */
const ofPackage: Change = (text, from, to) =>
  behind('^  "version": "|^ +"@pto/[\\w-]+": "')(text, from, to);

/** Of packages of this repository: their entries are named by their folders. */
const ofLockfile: Change = (text, from, to) => {
  const lock = JSON.parse(text);
  lock.version = to;
  for (const [path, entry] of Object.entries<Record<string, unknown>>(lock.packages)) {
    if (path.includes('node_modules/') || entry.version !== from) continue;
    entry.version = to;
    for (const kind of ['dependencies', 'devDependencies']) {
      const named = (entry[kind] ?? {}) as Record<string, string>;
      for (const name of Object.keys(named)) if (name.startsWith('@pto/')) named[name] = to;
    }
  }
  return `${JSON.stringify(lock, null, 2)}\n`;
};

/** Names of files below `/downloads`. */
const ofPackageFiles = behind(
  'partner[-_]transport[-_]orders-|pto-(?:custody|webhook)-verifier-|webhook-verifier-php-',
);

/** The first rule whose pattern a file's path matches changes it. */
const rules: readonly (readonly [RegExp, Change])[] = [
  [/(^|\/)package\.json$/, ofPackage],
  [/^package-lock\.json$/, ofLockfile],
  [/^deploy\/helm\/[\w-]+\/Chart\.yaml$/, behind('version: |appVersion: ')],
  [/^clients\/python\/pyproject\.toml$/, behind('^version = "')],
  [/^clients\/python\/src\/\w+\/_version\.py$/, behind('^VERSION = "')],
  [/^clients\/typescript\/src\/version\.ts$/, behind("version = '")],
  [/^(clients|verifiers)\/[\w-]+\/README\.md$/, ofPackageFiles],
  [/^(docs\/partners|site\/pages\/guides)\/[\w-]+\.md$/, ofPackageFiles],
  [/^verifiers\/webhook-verifier\/php\/composer\.json$/, behind('"version": "')],
];

/** How the version in a file changes; undefined for a file that names no version of ours. */
export const changeOf = (path: string): Change | undefined =>
  rules.find(([pattern]) => pattern.test(path))?.[1];

/**
 * The changelog with what was unreleased as a section of its own, unless somebody has written it.
 * @param date `YYYY-MM-DD`
 * @throws Error if nothing is unreleased, or there are lines beside the version's section.
 */
export const releasedChangelog = (text: string, version: string, date: string): string => {
  const [head, rest] = text.split('\n## Unreleased\n');
  if (rest === undefined) throw new Error('CHANGELOG.md has no section "Unreleased".');
  const isNamed = rest.includes(`\n## ${version} `);
  const hasLines = /^- /m.test(rest.split('\n## ')[0]!);
  if (isNamed && hasLines) throw new Error(`CHANGELOG.md has ${version} already.`);
  if (isNamed) return text;
  if (!hasLines) throw new Error('Nothing is unreleased.');
  return `${head}\n## Unreleased\n\n## ${version} - ${date}\n${rest}`;
};

/** Whether `to` is a version behind `from`, or the same one, of which nothing was released yet. */
export const mayFollow = (from: string, to: string): boolean => {
  const parts = (version: string) => /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number);
  const [a, b] = [parts(from), parts(to)];
  if (!a || !b) return false;
  const at = a.findIndex((part, n) => part !== b[n]);
  return at < 0 || a[at]! < b[at]!;
};
