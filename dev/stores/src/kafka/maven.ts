import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { Guards } from '../guards.ts';
import { findJava, findProgram, isAlive } from '../processes.ts';

/** The files that Maven fetches: Kafka's jars and, if the platform has one, a Redis binary. */
export interface MavenFiles {
  readonly java: string;
  readonly javaMajor: number;
  readonly kafkaJars: string;
  readonly redisServer: string | undefined;
}

const pom = fileURLToPath(new URL('pom.xml', import.meta.url));
const cacheFolder = fileURLToPath(
  new URL('../../../../node_modules/.cache/stores', import.meta.url),
);
const fetchWithinMs = 15 * 60_000;

/**
 * Fetches the files into node_modules/.cache if they are not there. `npm ci` deletes that folder;
 * the next call then restores the files within seconds from Maven's local repository.
 * @returns the files, or one line of text with the reason why there are none.
 */
export const fetchWithMaven = async (
  guards: Guards,
  onProgress: (line: string) => void,
  cacheRoot = cacheFolder,
): Promise<MavenFiles | string> => {
  const [java, maven] = [await findJava(), findProgram('mvn')];
  if (!java && !maven) return 'neither Java nor Maven is installed';
  if (!java) return 'Maven is installed, but no Java that runs';
  if (!maven) return 'Java is installed, but Maven (`mvn`) is not';
  const cache = join(cacheRoot, hash(readFileSync(pom)));
  if (!existsSync(cache)) {
    onProgress('fetching Kafka and Redis with Maven, once per checkout (about 50 MB)');
    const fault = await fetchInto(cache, maven, guards);
    if (fault !== undefined) return fault;
  }
  const servers = readdirSync(cache).includes('redis') ? readdirSync(join(cache, 'redis')) : [];
  return {
    java: java.command,
    javaMajor: java.major,
    kafkaJars: join(cache, 'kafka'),
    redisServer: servers[0] && join(cache, 'redis', servers[0]),
  };
};

/**
 * Fetches Kafka's jars and the Redis binary with Maven into the cache. Maven writes into a temporary
 * folder, which is renamed when complete: an aborted fetch leaves no incomplete cache.
 * @returns the reason for a failure; undefined on success.
 */
const fetchInto = async (
  cache: string,
  maven: string,
  guards: Guards,
): Promise<string | undefined> => {
  const cacheRoot = dirname(cache);
  mkdirSync(cacheRoot, { recursive: true });
  for (const name of readdirSync(cacheRoot)) {
    const owner = /\.part\.(\d+)$/.exec(name)?.[1];
    if (owner && !isAlive(Number(owner))) {
      rmSync(join(cacheRoot, name), { recursive: true, force: true });
    }
  }
  const part = `${cache}.part.${process.pid}`;
  const platform = `${process.platform}-${process.arch.replace('x64', 'amd64')}`;
  const fetching = await guards.run('maven', {
    command: maven,
    args: [
      ...['-B', '-ntp', '-q', '-f', pom, `-Dout=${part}`, `-Dredis=${platform}`],
      ...repositoryOption(cacheRoot),
      'generate-resources',
    ],
    signal: 'TERM',
    graceS: 5,
  });
  const timeout = setTimeout(() => fetching.stop(), fetchWithinMs);
  const code = await fetching.exited;
  clearTimeout(timeout);
  if (code === 0) {
    try {
      renameSync(part, cache);
    } catch (error) {
      if (!existsSync(cache)) throw error; // another process was faster; its files are the same
    }
  }
  rmSync(part, { recursive: true, force: true });
  if (code === 0) return undefined;
  const [, error] = /\[ERROR\]\s*(\S.*)/.exec(stripVTControlCharacters(fetching.output())) ?? [];
  return `Maven failed: ${error?.slice(0, 300) ?? `exit ${code}`}`;
};

/**
 * Returns the Maven option that moves the local repository to the cache, for users without a home
 * folder.
 */
const repositoryOption = (cacheRoot: string): string[] =>
  existsSync(userInfo().homedir) ? [] : [`-Dmaven.repo.local=${join(cacheRoot, 'maven')}`];

const hash = (bytes: Buffer): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 12);
