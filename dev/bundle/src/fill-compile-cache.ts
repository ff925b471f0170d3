/**
 * Fills the compile cache of an image: `node dev/bundle/src/fill-compile-cache.ts FOLDER USER`
 * starts each program in FOLDER without settings, and Node stores the code that it has compiled.
 * FOLDER must be the path in the image and USER its user id, because the cache's keys contain both.
 * Runs as root. Afterwards root owns the cache and every user can read it.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { programsFolder } from './build-image.ts';

/** Exit codes of programs that have loaded: 0 after `--help`, 78 for missing settings. */
const loaded = [0, 78];

const [folder, user] = process.argv.slice(2);
if (!folder || !user) {
  process.stderr.write('usage: node dev/bundle/src/fill-compile-cache.ts FOLDER USER\n');
  process.exit(2);
}
const cache = resolve(folder, 'compile-cache');
const id = Number(user);
mkdirSync(cache);
chownSync(cache, id, id);

const cwd = resolve(folder, programsFolder);
const register = existsSync(join(cwd, 'register.mjs')) ? ['--import', './register.mjs'] : [];
const isProgram = (file: string) => !/^(?:shared-.*|register\.mjs)$/.test(file);
for (const program of readdirSync(cwd).filter(isProgram)) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...register, program, '--help'], {
    cwd,
    env: { NODE_COMPILE_CACHE: cache },
    uid: id,
    gid: id,
    encoding: 'utf8',
  });
  if (!loaded.includes(status ?? -1))
    throw new Error(`${program} ended with ${status}: ${stdout}${stderr}`);
}

const files = globSync('**', { cwd: cache, withFileTypes: true });
if (!files.some((file) => file.isFile())) throw new Error(`Node stored nothing in ${cache}`);
for (const file of files) {
  const path = join(file.parentPath, file.name);
  chownSync(path, 0, 0);
  chmodSync(path, file.isDirectory() ? 0o755 : 0o644);
}
