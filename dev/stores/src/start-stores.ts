import { realpathSync } from 'node:fs';
import { claimFolder, type FolderLock } from './folder.ts';
import { reach } from './given-stores.ts';
import { createGuards, type Guards } from './guards.ts';
import { kafkaNeedsJava, startKafka } from './kafka/kafka.ts';
import { fetchWithMaven, type MavenFiles } from './kafka/maven.ts';
import { startPostgres } from './postgres/postgres.ts';
import { findProgram } from './processes.ts';
import { startRedis } from './redis.ts';
import type { RunningStore } from './store.ts';

export interface StoresWanted {
  /** Folder of the stores' files. No other process may use it at the same time. */
  readonly dir: string;
  /**
   * Addresses of stores that already run. `startStores` uses each given address and starts each
   * store whose address is undefined. If Redis or Kafka cannot be started because a program is not
   * installed, `Stores.missing` contains the reason.
   */
  readonly want: {
    readonly postgres: string | undefined;
    readonly redis: string | undefined;
    readonly kafka: readonly string[] | undefined;
  };
  /** Settings of a PostgreSQL that is started. */
  readonly postgresSettings?: Readonly<Record<string, string>>;
  readonly onProgress: (line: string) => void;
  /**
   * The lock from `claimFolder`, if the caller has claimed the folder already. `stop` releases the
   * lock.
   */
  readonly lock?: FolderLock;
  /**
   * If this signal is aborted while stores start, the started stores are ended and `startStores`
   * rejects.
   */
  readonly signal?: AbortSignal;
  /** Called with the name of a store that has ended unexpectedly. The store is not restarted. */
  readonly onDeath?: (name: string) => void;
}

export interface Stores {
  /** `url` is the URL of the superuser. `pid` is set if this process started the store. */
  readonly postgres: { readonly url: string; readonly pid?: number };
  readonly redis: { readonly url: string; readonly pid?: number } | null;
  readonly kafka: { readonly brokers: readonly string[]; readonly pid?: number } | null;
  /** One line per unavailable store: the reason, and what to install or to set. */
  readonly missing: readonly string[];
  /** Ends the stores that this process started and releases the folder. May be called again. */
  stop(): Promise<void>;
}

interface Room {
  readonly dir: string;
  readonly guards: Guards;
  readonly files: Promise<MavenFiles | string>;
  /**
   * Reports to `onProgress` that a store runs, and calls `onDeath` if the store ends unexpectedly.
   */
  watch<T extends RunningStore>(store: T): T;
}

/**
 * Starts PostgreSQL, Redis and Kafka concurrently, each on free loopback ports. Each store ends
 * when this process ends. Redis and Kafka may be missing, PostgreSQL may not.
 * @throws Error if PostgreSQL or a given store is unavailable, or if a store fails while it starts.
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
      obtainPostgres(room, want.postgres, wanted.postgresSettings),
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

const obtainPostgres = async (
  room: Room,
  given: string | undefined,
  settings: StoresWanted['postgresSettings'],
) => {
  if (given) {
    await reach('DATABASE_URL', given, 5432);
    return { url: given };
  }
  const { url, pid } = room.watch(await startPostgres(room.dir, room.guards, settings));
  return { url, pid };
};

/** Returns Redis, or the reason why it is unavailable. */
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

/** Returns Kafka, or the reason why it is unavailable. */
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
