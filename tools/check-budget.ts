/**
 * Prints the size of the house by area, and fails above its budget (decision 90): lines of TypeScript
 * outside of tests and of generated code, and words of the documentation. A feature that needs more
 * gives something back, or raises a number here with its reason in the commit.
 */
import { readFileSync } from 'node:fs';
import { trackedFiles } from './tracked-files.ts';

export interface Area {
  readonly name: string;
  readonly unit: 'lines' | 'words';
  readonly folders: readonly string[];
  readonly max: number;
}

export const areas: readonly Area[] = [
  {
    name: 'product',
    unit: 'lines',
    folders: [
      ...['services', 'packages', 'proto', 'console', 'operator'],
      ...['local', 'site', 'clients', 'verifiers'],
    ],
    max: 95_667,
  },
  { name: 'ring', unit: 'lines', folders: ['deploy', 'bench', 'e2e', 'dev', 'tools'], max: 16_061 },
  { name: 'docs', unit: 'words', folders: ['docs'], max: 37_123 },
];

const isSource = (path: string): boolean =>
  /\.tsx?$/.test(path) && !/(^|\/)(test|gen|generated)\//.test(path);

/** Returns the size of a text in the unit of its area. */
export const sizeOf = (text: string, unit: Area['unit']): number =>
  unit === 'lines' ? (text.match(/\n/g)?.length ?? 0) : (text.match(/\S+/g)?.length ?? 0);

/** Returns the size of each folder of an area, the largest first. */
export const sizesOf = (
  { folders, unit }: Area,
  files: readonly string[],
  read: (path: string) => string,
): readonly (readonly [folder: string, size: number])[] =>
  folders
    .map((folder) => {
      const own = files.filter(
        (path) =>
          path.startsWith(`${folder}/`) &&
          (unit === 'lines' ? isSource(path) : path.endsWith('.md')),
      );
      return [folder, own.reduce((sum, path) => sum + sizeOf(read(path), unit), 0)] as const;
    })
    .toSorted(([, one], [, other]) => other - one);

if (import.meta.main) {
  const tracked = trackedFiles();
  for (const area of areas) {
    const sizes = sizesOf(area, tracked, (path) => readFileSync(path, 'utf8'));
    const size = sizes.reduce((sum, [, one]) => sum + one, 0);
    const parts = sizes.map(([folder, one]) => `${folder} ${one}`).join(', ');
    process.stdout.write(`${area.name}: ${size} of ${area.max} ${area.unit} (${parts})\n`);
    if (size <= area.max) continue;
    process.exitCode = 1;
    process.stderr.write(
      `${area.name} is ${size - area.max} ${area.unit} above its budget: give something back, or raise it in tools/check-budget.ts with the reason in the commit.\n`,
    );
  }
}
