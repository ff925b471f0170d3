/**
 * The versions of Node and Python that the packages are tried with: those of this machine, or with
 * CLIENT_VERSIONS=all every supported one, brought by npm and uv.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './program.ts';

const all = process.env.CLIENT_VERSIONS === 'all';

/** @param uv its program. @returns the versions that are here or that uv can bring; reports others. */
export const pythonVersions = async (uv: string): Promise<string[]> => {
  if (!all) return ['python3'];
  const found: string[] = [];
  for (const version of ['3.10', '3.11', '3.12', '3.13', '3.14']) {
    const place = { cwd: '.', env: {} };
    await run(place, uv, 'python', 'find', version)
      .catch(() => run(place, uv, 'python', 'install', '--no-bin', version))
      .then(() => found.push(version))
      .catch((error: Error) =>
        process.stderr.write(`\n*** SKIPPED: Python ${version}: ${error}\n\n`),
      );
  }
  return found;
};

/** @param folder for what npm brings. @returns paths of programs. */
export const nodePrograms = async (folder: string): Promise<string[]> => {
  if (!all) return [await machineNode()];
  const majors = ['20.12', '22', '24'];
  return Promise.all(
    majors.map(async (major) => {
      const cwd = join(folder, `node-${major}`);
      mkdirSync(cwd, { recursive: true });
      const arch = `node-linux-${process.arch}`;
      await run(
        { cwd, env: {} },
        'npm',
        'install',
        '--no-save',
        '--prefix',
        cwd,
        `${arch}@${major}`,
      );
      return join(cwd, 'node_modules', arch, 'bin/node');
    }),
  );
};

/** The oldest Node at hand: that of the machine if it is supported, else that of the test. */
const machineNode = async (): Promise<string> => {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const own = folders.filter((path) => !path.includes('node_modules'));
  const found = own.map((path) => join(path, 'node')).find((path) => existsSync(path));
  if (found === undefined) return process.execPath;
  const version = await run({ cwd: '.', env: {} }, found, '--version');
  return Number(version.slice(1).split('.')[0]) >= 20 ? found : process.execPath;
};
