import { join } from 'node:path';
import { buildPrograms, builtOnce, type Programs } from '@pto/bundle';
import { checkout } from '../checkout.ts';
import { serviceNames } from './stack-settings.ts';

/** Entry files of all programs, relative to the checkout. */
export const programs: Programs = {
  ...Object.fromEntries(serviceNames.map((name) => [name, `services/${name}/src/main.ts`])),
  console: 'services/console/src/main.ts',
  'map-thread': 'services/console/src/map/map-thread.ts',
  'certificate-thread': 'services/gateway/src/certificates/certificate-thread.ts',
  'large-body-thread': 'services/gateway/src/http/large-body-thread.ts',
  'files-thread': 'services/orders/src/files/files-thread.ts',
  operator: 'operator/src/main.ts',
  'first-token': 'services/operators/src/first-token.ts',
};

/** Patterns of all files of the checkout that the programs are made of. */
export const programSources = [
  'services/*/{src,migrations}/**',
  'packages/*/{package.json,src/**}',
  'verifiers/custody-verifier/{package.json,src/**}',
  'operator/{package.json,src/**}',
  'proto/{gen/**,*.ts,package.json}',
  'package-lock.json',
];

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
  const { folder, build } = builtOnce(checkout, 'programs', programSources);
  if (!given) await build((into) => buildPrograms(checkout, programs, into, folder));
  return { fileOf: (name) => join(given || folder, `${name}.mjs`) };
};
