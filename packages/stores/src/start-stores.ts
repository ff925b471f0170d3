import { realpathSync } from 'node:fs';
import { claimFolder } from './claim-folder.ts';
import type { FolderLock } from './folder-lock.ts';
import { reach } from './given-stores.ts';
import { createGuards, type Guards } from './guards.ts';
import { kafkaNeedsJava, startKafka } from './kafka/kafka.ts';
import { fetchWithMaven, type MavenFiles } from './kafka/maven.ts';
import { startPostgres } from './postgres/postgres.ts';
import { findProgram } from './programs.ts';
import { startRedis } from './redis.ts';
import type { RunningStore } from './store.ts';

export interface StoresWanted {
  /** Where state lives; nobody else may use it meanwhile. */
  readonly dir: string;
  /** A store that is given is used as it is; one that is undefined is started. */
  readonly want: {
    readonly postgres: string | undefined;
    readonly redis: string | undefined;
    readonly kafka: readonly string[] | undefined;
  };
  readonly onProgress: (line: string) => void;
  /** From claimFolder, where the caller has claimed the folder already; released by stop(). */
  readonly lock?: FolderLock;
  /** Aborted while stores start: those that run are ended, and startStores rejects. */
  readonly signal?: AbortSignal;
  /** Called when a store has ended unexpectedly. It is not restarted. */
  readonly onDeath?: (name: string) => void;
}

export interface Stores {
  /** The superuser's URL. `pid` where the store is ours. */
  readonly postgres: { readonly url: string; readonly pid?: number };
  readonly redis: { readonly url: string; readonly pid?: number } | null;
  readonly kafka: { readonly brokers: readonly string[]; readonly pid?: number } | null;
  /** One line for each unavailable store: the reason, and what to install or to set. */
  readonly missing: readonly string[];
  /** Ends our stores and lets go of the folder. May be called again. */
  stop(): Promise<void>;
}

interface Room {
  readonly dir: string;
  readonly guards: Guards;
  readonly files: Promise<MavenFiles | string>;
  /** Says that a store runs, and from then on looks after it. */
  watch<T extends RunningStore>(store: T): T;
}

/**
 * Brings up real PostgreSQL, Redis and Kafka at the same time, each on free loopback ports and
 * each ended when this process ends. Redis and Kafka may be missing; Postgres may not.
 * @throws Error in plain words: what failed, and what to set or to install.
 */
export const startStores = async (wanted: StoresWanted): Promise<Stores> => {
  const { want, onProgress } = wanted;
  const lock = wanted.lock ?? (await claimFolder(wanted.dir, onProgress));
  const dir = realpathSync(wanted.dir);
  const guards = createGuards(dir);
  let stopping = false;
  const stop = async () => {
    stopping = true;
    await guards.stopAll();
    lock.release();
  };
  const watch = <T extends RunningStore>(store: T): T => {
    onProgress(`${store.name} runs`);
    store.exited.then(() => stopping || wanted.onDeath?.(store.name));
    return store;
  };
  const onAbort = () => void guards.stopAll();
  wanted.signal?.addEventListener('abort', onAbort);
  try {
    wanted.signal?.throwIfAborted();
    const files =
      want.redis && want.kafka?.length
        ? Promise.resolve('not needed')
        : fetchWithMaven(guards, onProgress);
    const room = { dir, guards, files, watch };
    const [postgres, redis, kafka] = await Promise.all([
      obtainPostgres(room, want.postgres),
      obtainRedis(room, want.redis),
      obtainKafka(room, want.kafka),
    ]);
    return {
      postgres,
      redis: typeof redis === 'string' ? null : redis,
      kafka: typeof kafka === 'string' ? null : kafka,
      missing: [redis, kafka].filter((store) => typeof store === 'string'),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    wanted.signal?.removeEventListener('abort', onAbort);
  }
};

const obtainPostgres = async (room: Room, given: string | undefined) => {
  if (given) {
    await reach('DATABASE_URL', given, 5432);
    return { url: given };
  }
  const { url, pid } = room.watch(await startPostgres(room.dir, room.guards));
  return { url, pid };
};

/** The store, or why there is none. */
const obtainRedis = async (room: Room, given: string | undefined) => {
  if (given) {
    await reach('REDIS_URL', given, 6379);
    return { url: given };
  }
  const files = await room.files;
  const fetched = typeof files === 'string' ? undefined : files.redisServer;
  const command = fetched ?? findProgram('redis-server') ?? findProgram('valkey-server');
  if (!command) {
    const why = typeof files === 'string' ? files : 'Maven has no Redis for this platform';
    return `no Redis (${why}, and there is no redis-server or valkey-server): rate limits are kept in memory; install redis-server, or Java 17+ and Maven, or set REDIS_URL`;
  }
  const { url, pid } = room.watch(await startRedis(room.dir, room.guards, command));
  return { url, pid };
};

/** The store, or why there is none. */
const obtainKafka = async (room: Room, given: readonly string[] | undefined) => {
  if (given && given.length > 0) {
    await Promise.any(given.map((broker) => reach('KAFKA_BROKERS', broker, 9092))).catch(
      (error: AggregateError) => {
        throw error.errors[0];
      },
    );
    return { brokers: given };
  }
  const files = await room.files;
  const why =
    typeof files === 'string'
      ? files
      : files.javaMajor < kafkaNeedsJava && `Java ${files.javaMajor} is too old`;
  if (typeof files === 'string' || why) {
    return `no Kafka (${why}): events travel over Postgres tables; for the real thing install Java 17+ and Maven, or set KAFKA_BROKERS`;
  }
  const { broker, pid } = room.watch(await startKafka(room.dir, room.guards, files));
  return { brokers: [broker], pid };
};
