import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Guards } from '../guards.ts';
import { isAlive, listProcesses } from '../processes.ts';
import {
  findPostgres,
  isReachable,
  makeStage,
  type Owner,
  postgresOwner,
  stagedCluster,
  stagedPostgres,
} from './postgres-binary.ts';

const initWithinMs = 120_000;

/** A folder's PostgreSQL cluster, ready to start. */
interface Cluster {
  /** Folder of PostgreSQL's binaries. */
  readonly native: string;
  readonly data: string;
  readonly owner: Owner;
  /** Password of the superuser. */
  readonly password: string;
}

/** Finds or creates the folder's cluster. Only the holder of the folder's lock may call this. */
export const openCluster = async (dir: string, guards: Guards): Promise<Cluster> => {
  const owner = await postgresOwner();
  let native = await findPostgres();
  let data = join(dir, 'postgres');
  const passwordFile = join(dir, 'postgres.password');
  if (owner && !(isReachable(join(native, 'bin/postgres')) && isReachable(dir))) {
    if (existsSync(data)) {
      throw new Error(
        `the user nobody, as whom root runs Postgres, can no longer reach ${data}: let others enter the folders above it (chmod o+x), or start with --fresh`,
      );
    }
    native = await stagedPostgres(native);
    data = stagedCluster(dir);
    makeStage();
  }
  // a cluster without its password file is the remainder of a folder that was deleted by hand
  if (!existsSync(passwordFile)) rmSync(data, { recursive: true, force: true });
  if (!existsSync(data)) await createCluster({ native, data, owner, passwordFile }, guards);
  await forgetStalePid(data);
  return { native, data, owner, password: readFileSync(passwordFile, 'utf8') };
};

/** Removes a folder's cluster, whether its data is in the folder or outside of it. */
export const forgetCluster = (dir: string): void => {
  for (const path of [join(dir, 'postgres'), dirname(stagedCluster(dir))]) {
    rmSync(path, { recursive: true, force: true });
  }
  rmSync(join(dir, 'postgres.password'), { force: true });
};

/**
 * Creates the cluster under a temporary name and renames it when complete, because PostgreSQL would
 * start on an incomplete cluster without an error.
 */
const createCluster = async (
  at: { native: string; data: string; owner: Owner; passwordFile: string },
  guards: Guards,
): Promise<void> => {
  const parent = dirname(at.data);
  mkdirSync(parent, { recursive: true });
  if (at.owner) chmodSync(parent, 0o755);
  for (const name of readdirSync(parent)) {
    if (/^(postgres|pw)\.\d+$/.test(name)) rmSync(join(parent, name), { recursive: true });
  }
  const password = randomBytes(18).toString('base64url');
  const whole = `${at.data}.${process.pid}`;
  const pwfile = join(parent, `pw.${process.pid}`);
  mkdirSync(whole, { mode: 0o700 });
  writeFileSync(pwfile, password, { mode: 0o600 });
  if (at.owner) for (const path of [whole, pwfile]) chownSync(path, at.owner.uid, at.owner.gid);
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const initdb = await guards.run('initdb', {
    command: join(at.native, 'bin/initdb'),
    args: ['-D', whole, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${pwfile}`].concat(
      '--encoding=UTF8',
      ...locale,
      '--no-instructions',
    ),
    signal: 'TERM',
    graceS: 5,
    owner: at.owner,
  });
  const late = setTimeout(() => initdb.stop(), initWithinMs);
  const code = await initdb.exited;
  clearTimeout(late);
  if (code !== 0) throw new Error(`initdb failed (${code}):\n${initdb.output().trimEnd()}`);
  rmSync(pwfile);
  writeFileSync(at.passwordFile, password, { mode: 0o600 });
  renameSync(whole, at.data);
};

/**
 * Removes a postmaster.pid whose process id now belongs to another program: with that file
 * PostgreSQL would not start. A file whose process has ended stays: PostgreSQL uses the file to
 * find backends that still run after their postmaster has ended.
 */
const forgetStalePid = async (data: string): Promise<void> => {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n', 1)[0]);
  if (!isAlive(pid)) return;
  const args = (await listProcesses()).find((other) => other.pid === pid)?.args ?? '';
  if (!args.includes(data)) rmSync(file);
};
