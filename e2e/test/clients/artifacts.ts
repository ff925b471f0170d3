/** What partners install: the packages that the site serves, installed in clean folders. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recentSite } from '@pto/site';
import { pythonWith } from '@pto/testing';
import { run } from './program.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const tools = pythonWith(['uv==0.13.9', 'mypy==2.4.1']);
/** Null without Python. */
export const uv = tools && join(dirname(tools), 'uv');
export const hasPython = tools !== null;

/** @returns the paths of the packages, which are built with the site unless they exist. */
export const packages = async (): Promise<string[]> => {
  const { folder, build } = recentSite();
  await build();
  const downloads = join(folder, 'downloads');
  return readdirSync(downloads).map((name) => join(downloads, name));
};

/** A project with these tarballs, installed without the network. */
export const npmProject = async (folder: string, tarballs: string[]): Promise<string> => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  const words = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run({ cwd: folder, env: {} }, 'npm', ...words, ...tarballs);
  return folder;
};

const compilerOf = {
  native: join(root, 'node_modules/typescript/lib/tsc.js'),
  /** That of TypeScript 5, which takes eight times as long. */
  javascript: join(root, 'tools/generators/node_modules/typescript/lib/tsc.js'),
} as const;

/** Compiles all `.ts` files of a folder as a strict project does, with the types of its packages. */
export const compile = (
  folder: string,
  compiler: keyof typeof compilerOf = 'native',
): Promise<string> => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const modules = ['--target', 'es2022', '--module', 'nodenext'];
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
  const words = [...strict, ...modules, ...types, ...files];
  return run({ cwd: folder, env: {} }, process.execPath, compilerOf[compiler], ...words);
};

/** A virtual environment with this wheel. @param version of Python; this machine's by default. */
export const pythonProject = async (
  folder: string,
  wheel: string,
  version = 'python3',
): Promise<string> => {
  const python = join(folder, 'bin/python');
  if (existsSync(python)) return python; // of another test
  const place = { cwd: root, env: {} };
  await run(place, uv!, 'venv', '--quiet', '--python', version, folder);
  const words = ['pip', 'install', '--quiet', '--python', python, `${wheel}[custody]`];
  await run(place, uv!, ...words);
  return python;
};

/** Checks types as strictly as mypy does, with the packages of that environment. */
export const checkTypes = (python: string, cwd: string, ...words: string[]): Promise<string> =>
  run({ cwd, env: {} }, tools!, '-m', 'mypy', '--strict', '--python-executable', python, ...words);
