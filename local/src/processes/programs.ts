import { join } from 'node:path';
import { type Programs, recentBundle } from '@pto/bundle';
import { checkout } from '../checkout.ts';
import { serviceNames } from './services.ts';

/** Entry files of all programs, relative to the checkout. */
export const programs: Programs = {
  ...Object.fromEntries(serviceNames.map((name) => [name, `services/${name}/src/main.ts`])),
  operator: 'operator/src/main.ts',
  'first-token': 'services/operators/src/first-token.ts',
};

/** The entry files of the services' programs and of the operator's, bundled with their imports. */
export interface ProgramFiles {
  fileOf(name: string): string;
}

/**
 * Returns the programs: those of `given`, or else those of the checkout, which this function
 * bundles.
 * @param given a folder with bundled programs of another release.
 */
export const openPrograms = async (given: string | undefined): Promise<ProgramFiles> => {
  const cacheDir = join(checkout, 'node_modules', '.cache', 'programs');
  const dir = given || (await recentBundle(checkout, programs, cacheDir));
  return { fileOf: (name) => join(dir, `${name}.mjs`) };
};
