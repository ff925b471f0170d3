import { join } from 'node:path';
import { builtOnce } from '@pto/bundle';
import { buildConsole } from './build-console.ts';

const root = join(import.meta.dirname, '..', '..');

/** Patterns of all files that the build reads, relative to the root. */
export const sources = [
  'console/{build,src}/**',
  'console/package.json',
  'site/assets/style/colors.css',
  'packages/{certificate,errors,representation}/{package.json,src/**}',
  'proto/{gen/**,*.ts,package.json}',
  'verifiers/custody-verifier/{package.json,src/**}',
  'package-lock.json',
];

/** Returns the folder of the web application for the present sources, and how to build it. */
export const recentConsole = () => {
  const { folder, build } = builtOnce(root, 'console', sources);
  return { folder, build: () => build(buildConsole) };
};
