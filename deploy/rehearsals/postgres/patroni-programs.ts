import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../stage/rehearsal.ts';
import { wheelFolder } from './programs.ts';

/** Of PyPI: Debian 12's Patroni 3.0 is older than PostgreSQL 16. */
const version = '4.1.5';

/**
 * Finds Patroni, or has pip fetch it once.
 * @returns the environment in which `python3 -m patroni` runs it.
 */
export const patroniEnvironment = async (stage: Stage): Promise<NodeJS.ProcessEnv> => {
  const folder = join(wheelFolder, `patroni-${version}`);
  if (!existsSync(folder)) {
    const part = `${folder}.${process.pid}`;
    mkdirSync(part, { recursive: true, mode: 0o755 });
    const what = [`patroni[etcd3]==${version}`, 'psycopg2-binary'];
    try {
      await stage.command('pip', ['install', '--quiet', '--target', part, ...what], {
        shown: `pip install ${what.join(' ')}`,
      });
      renameSync(part, folder);
    } finally {
      rmSync(part, { recursive: true, force: true });
    }
  }
  return { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
};
