import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Guards } from '../guards.ts';
import { makePrivateFolder } from '../log-file.ts';
import { freePorts } from '../ports.ts';
import { type RunningStore, startStore } from '../store.ts';
import type { MavenFiles } from './maven.ts';

export const kafkaNeedsJava = 17;

/** Text in the command line of a folder's Kafka, by which leftover processes are found. */
export const kafkaMark = (dir: string): string => `kafka.Kafka ${join(dir, 'kafka.properties')}`;

/**
 * JVM flags for little memory, a quick start and few wake-ups while idle (the JVM's own performance
 * counters are sampled 20 times a second). The flags in the environment variable
 * KAFKA_JAVA_OPTS come later and override these flags, e.g. -XX:TieredStopAtLevel=4.
 */
const javaFlags = [
  '-Xms64m',
  '-Xmx256m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-XX:-UsePerfData',
];

const logFlags = [
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
  '-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info',
  '-Dorg.slf4j.simpleLogger.showDateTime=true',
];

/**
 * Starts Kafka, broker and controller in one JVM, on free loopback ports.
 * @param more broker settings that override the defaults, such as an authorizer's.
 */
export const startKafka = async (
  dir: string,
  guards: Guards,
  files: MavenFiles,
  more: Readonly<Record<string, string>> = {},
): Promise<RunningStore & { broker: string }> => {
  format(join(dir, 'kafka'));
  const [port = 0, controllerPort = 0] = await freePorts(2);
  const config = join(dir, 'kafka.properties');
  writeFileSync(config, properties({ ...settings(dir, port, controllerPort), ...more }));
  const flags = (process.env.KAFKA_JAVA_OPTS ?? '').split(' ').filter((flag) => flag !== '');
  const archive = classArchive(dir, files);
  const classes = ['-cp', join(files.kafkaJars, '*'), 'kafka.Kafka', config];
  const store = await startStore(
    guards,
    'kafka',
    {
      command: files.java,
      args: [...javaFlags, ...archive.flags, ...flags, ...logFlags, ...classes],
      signal: 'TERM',
      graceS: 20,
    },
    async ({ output }) => output().includes('Kafka Server started'),
  );
  store.exited.then(archive.keep);
  return { ...store, broker: `127.0.0.1:${port}` };
};

/**
 * Formats Kafka's data folder by writing its meta.properties, which contains random ids. Kafka's
 * storage tool would need a second JVM.
 */
const format = (data: string): void => {
  makePrivateFolder(data);
  const file = join(data, 'meta.properties');
  const id = () => randomBytes(16).toString('base64url');
  if (existsSync(file)) return;
  const meta = { version: 1, 'cluster.id': id(), 'node.id': 1, 'directory.id': id() };
  writeFileSync(file, properties(meta));
};

const settings = (dir: string, port: number, controllerPort: number) => ({
  'process.roles': 'broker,controller',
  'node.id': 1,
  // a static quorum, because the broker's and the controller's port change at each start
  'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
  listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
  'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
  'controller.listener.names': 'CONTROLLER',
  'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
  'log.dirs': join(dir, 'kafka'),
  'auto.create.topics.enable': false,
  'group.initial.rebalance.delay.ms': 0,
  // a killed broker can register again after 3 s instead of 11 s
  'broker.heartbeat.interval.ms': 500,
  'broker.session.timeout.ms': 2000,
  'offsets.topic.replication.factor': 1,
  'offsets.topic.num.partitions': 4,
  'transaction.state.log.replication.factor': 1,
  'transaction.state.log.min.isr': 1,
  'transaction.state.log.num.partitions': 1,
  // the defaults would take 128 MiB of heap for the log cleaner, and two sparse index files of 10
  // MiB per partition
  'log.cleaner.dedupe.buffer.size': 4_194_304,
  'log.index.size.max.bytes': 1_048_576,
  // an idle controller writes no record every 500 ms
  'metadata.max.idle.interval.ms': 0,
  'num.network.threads': 2,
  'num.io.threads': 4,
  'background.threads': 2,
});

const properties = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

/** Exit codes of a JVM that has ended normally, or after SIGTERM. */
const orderly = [0, 143];

/**
 * Returns the JVM flags for the class archive: to use the archive or, if there is none, to write
 * it.
 * @param dir folder of the stores, into which the JVM writes the archive when it ends.
 * @returns the flags, and a function that stores the written archive.
 */
export const classArchive = (
  dir: string,
  { kafkaJars, javaMajor }: Pick<MavenFiles, 'kafkaJars' | 'javaMajor'>,
): { readonly flags: readonly string[]; keep(exitCode: number): void } => {
  const archive = `${kafkaJars}-java${javaMajor}.jsa`;
  if (existsSync(archive))
    return { flags: [`-XX:SharedArchiveFile=${archive}`, '-Xlog:disable'], keep: () => {} };
  const written = join(dir, 'kafka.jsa');
  const part = `${archive}.${process.pid}`;
  return {
    flags: [`-XX:ArchiveClassesAtExit=${written}`, '-Xlog:disable'],
    /**
     * Stores the written archive beside Kafka's jars, for later starts. Call this after the JVM has
     * ended. The file of a JVM that was killed is incomplete and is deleted.
     */
    keep: (exitCode) => {
      try {
        if (!orderly.includes(exitCode) || !existsSync(written)) return;
        copyFileSync(written, part);
        renameSync(part, archive);
      } catch {
        rmSync(part, { force: true }); // such as a full disk: the next start has no archive
      } finally {
        rmSync(written, { force: true });
      }
    },
  };
};
