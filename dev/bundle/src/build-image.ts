import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { buildPrograms } from './build-programs.ts';
import { contentsOf } from './image-programs.ts';
import { billOfMaterials, noticesOf, npmPackages } from './npm-packages.ts';

/** Folder of the bundled programs in an image. */
export const programsFolder = 'programs';

/**
 * Writes what an image contains into `outDir`: the bundled programs, the files that they read at run
 * time with the same paths as in the checkout, the bill of materials and the licenses.
 * @returns the paths of all bundled source files, relative to the root.
 */
export const buildImage = async (
  root: string,
  image: string,
  outDir: string,
): Promise<readonly string[]> => {
  const { programs, files = [] } = contentsOf(image);
  const { inputs, packages } = await buildPrograms(
    root,
    programs,
    join(outDir, programsFolder),
    join(root, programsFolder),
  );
  const copied = packages.flatMap((name) => copyPackage(root, name, outDir));
  for (const file of files) {
    mkdirSync(dirname(join(outDir, file)), { recursive: true });
    cpSync(join(root, file), join(outDir, file), { recursive: true, dereference: true });
  }
  const contained = npmPackages(root, [...inputs, ...copied, ...files]);
  const bill = billOfMaterials(root, image, contained);
  writeFileSync(join(outDir, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
  writeFileSync(join(outDir, 'third-party-notices.txt'), noticesOf(root, contained));
  return inputs;
};

/**
 * Copies an npm package and its dependencies from `root` to the same paths below `outDir`, without
 * optional and peer dependencies.
 * @returns the folders of all copied packages, relative to the root.
 * @throws Error naming a dependency that is not installed.
 */
const copyPackage = (root: string, name: string, outDir: string): string[] => {
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
