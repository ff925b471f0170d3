import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { billOfMaterials } from './bill-of-materials.ts';
import { buildPrograms } from './build-programs.ts';
import { copyPackage } from './copy-package.ts';
import { contentsOf } from './image-programs.ts';
import { noticesOf, npmPackages } from './npm-packages.ts';

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
