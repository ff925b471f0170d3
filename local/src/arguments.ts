import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { mainCell } from '@pto/config';
import { type ServiceName, serviceDatabases, serviceNames } from './processes/stack-settings.ts';

/** The launch options from the command line and the environment. */
export interface LaunchArguments {
  /** Folder of the local stack, an absolute path. */
  readonly dir: string;
  /** Port of the first gateway; 0 takes a free one. */
  readonly port: number;
  /** The cells, the main one first. */
  readonly cells: readonly string[];
  /** Number of processes of each service, at least one. */
  readonly replicas: Readonly<Record<ServiceName, number>>;
  readonly fresh: boolean;
  readonly demo: boolean;
  readonly help: boolean;
  /**
   * Addresses of stores that were started elsewhere; undefined for each store that the launcher
   * starts.
   */
  readonly given: {
    readonly postgres: string | undefined;
    /** PostgreSQL servers of single databases, by the database's name. */
    readonly databases: Readonly<Record<string, string>>;
    readonly redis: string | undefined;
    readonly kafka: readonly string[] | undefined;
  };
}

/** Wrong usage of the command line; the message is for the person who typed it. */
export class UsageError extends Error {}

export const usage = `Starts the local stack (all services and stores on this machine): npm start -- [flags]

  --dir D          where state lives (LOCAL_DIR; .local). Two local stacks with two folders run side by side
  --port N         the gateway's port (PORT; 8080); 0 takes a free one
  --replicas LIST  processes per service, such as orders=2,gateway=2
  --cells LIST     further cells beside the main one, such as north,south
  --fresh          forget all state first
  --no-demo        no demonstration order at the first start
  --help           this text

DATABASE_URL, REDIS_URL and KAFKA_BROKERS name stores to use instead of the embedded ones.
DATABASE_URL_ORDERS names another PostgreSQL server for the database orders; so for each database.
Any setting of a service that is in the environment is passed on to it.
`;

const replicasMost = 16;

/** Reads the launch options. @throws UsageError naming the flag or variable, and the reason. */
export const readArguments = (
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): LaunchArguments => {
  const flags = parse(words);
  const fromPort = flags.port === undefined ? 'PORT' : '--port';
  return {
    dir: resolve(flags.dir ?? (environment.LOCAL_DIR || '.local')),
    port: readPort(fromPort, flags.port ?? (environment.PORT || '8080')),
    cells: readCells(flags.cells ?? ''),
    replicas: readReplicas(flags.replicas ?? ''),
    fresh: flags.fresh ?? false,
    demo: !flags['no-demo'],
    help: flags.help ?? false,
    given: {
      postgres: readUrl('DATABASE_URL', environment, postgresSchemes),
      databases: readServers(environment),
      redis: readUrl('REDIS_URL', environment, ['redis:', 'rediss:']),
      kafka: readBrokers(environment.KAFKA_BROKERS ?? ''),
    },
  };
};

const parse = (words: readonly string[]) => {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        dir: { type: 'string' },
        port: { type: 'string' },
        replicas: { type: 'string' },
        cells: { type: 'string' },
        fresh: { type: 'boolean' },
        'no-demo': { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    if (values.dir === '') throw new Error('--dir: expected a folder');
    return values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

const readPort = (name: string, text: string): number => {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`${name}: expected a port from 0 to 65535, not '${text}'`);
};

const readCells = (text: string): string[] => {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  // a part of the names of databases and their roles
  for (const name of names)
    if (!/^[a-z][a-z0-9]{0,15}$/.test(name) || name === mainCell)
      throw new UsageError(
        `--cells: '${name}': expected a name of up to 16 small letters and digits, other than ${mainCell}`,
      );
  return [...new Set([mainCell, ...names])];
};

const readReplicas = (text: string): Record<ServiceName, number> => {
  const replicas = Object.fromEntries(serviceNames.map((name) => [name, 1])) as Record<
    ServiceName,
    number
  >;
  for (const part of text.split(',').filter((piece) => piece.trim() !== '')) {
    const [name = '', count = ''] = part.split('=').map((piece) => piece.trim());
    const service = serviceNames.find((known) => known === name);
    const fault = (expected: string) => new UsageError(`--replicas: '${part}': ${expected}`);
    if (!service) throw fault(`expected one of ${serviceNames.join(', ')} before the =`);
    if (!/^\d{1,2}$/.test(count) || Number(count) < 1 || Number(count) > replicasMost) {
      throw fault(`expected a number from 1 to ${replicasMost} after the =`);
    }
    replicas[service] = Number(count);
  }
  return replicas;
};

const postgresSchemes = ['postgres:', 'postgresql:'] as const;

const readServers = (environment: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    serviceDatabases.flatMap((name) => {
      const url = readUrl(`DATABASE_URL_${name.toUpperCase()}`, environment, postgresSchemes);
      return url === undefined ? [] : [[name, url]];
    }),
  );

/** Reads a URL. Its error does not show the value, which may contain a password. */
const readUrl = (
  name: string,
  environment: NodeJS.ProcessEnv,
  schemes: readonly string[],
): string | undefined => {
  const text = environment[name];
  if (!text) return undefined;
  if (URL.canParse(text) && schemes.includes(new URL(text).protocol)) return text;
  throw new UsageError(`${name}: expected a URL beginning with ${schemes.join('// or ')}//`);
};

const readBrokers = (text: string): readonly string[] | undefined => {
  const brokers = text
    .split(',')
    .map((broker) => broker.trim())
    .filter((broker) => broker !== '');
  for (const broker of brokers) {
    if (!/^[^\s/:]+:\d{1,5}$|^\[[^\]]+\]:\d{1,5}$/.test(broker)) {
      throw new UsageError(`KAFKA_BROKERS: expected host:port, not '${broker}'`);
    }
  }
  return brokers.length > 0 ? brokers : undefined;
};
