import { cpSync, existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/**
 * Copies an npm package and its dependencies from `root` to the same paths below `outDir`, without
 * optional and peer dependencies.
 * @returns the folders of all copied packages, relative to the root.
 * @throws Error naming a dependency that is not installed.
 */
export const copyPackage = (root: string, name: string, outDir: string): string[] => {
  const copied = new Set<string>();
  const copy = (wanted: string, from: string): void => {
    const folder = folderOf(root, wanted, from);
    if (copied.has(folder)) return;
    copied.add(folder);
    const isOwn = (path: string) => basename(path) !== 'node_modules';
    cpSync(folder, join(outDir, relative(root, folder)), {
      recursive: true,
      dereference: true,
      filter: (path) => path === folder || isOwn(path),
    });
    const { dependencies = {} }: { dependencies?: Record<string, string> } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    for (const dependency of Object.keys(dependencies)) copy(dependency, folder);
  };
  copy(name, root);
  return [...copied].map((folder) => relative(root, folder));
};

/** Looks for the package as Node does: in each `node_modules` from `from` up to the root. */
const folderOf = (root: string, name: string, from: string): string => {
  for (let dir = from; ; dir = dirname(dir)) {
    const folder = join(dir, 'node_modules', name);
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (dir === root) throw new Error(`${name} is not installed, which ${from} needs`);
  }
};
