import type { ReceiverFiles } from '../secrets/authority.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { ServiceName } from './services.ts';

/** URLs of one database, one for each of its roles. */
export interface DatabaseUrls {
  readonly ownerUrl: string;
  readonly serviceUrl: string;
  readonly readerUrl: string;
  /** URL for the operators service's role in the database `access`; empty for other databases. */
  readonly operatorsUrl: string;
}

/** Everything from which the settings of the processes are made. */
export interface StackParts {
  readonly replicas: Readonly<Record<ServiceName, number>>;
  /** Port of the first gateway. */
  readonly port: number;
  /** Returns a free port. */
  readonly nextPort: () => number;
  readonly databases: Readonly<Record<string, DatabaseUrls>>;
  readonly redisUrl: string | null;
  /**
   * Addresses of Kafka's brokers. If the list is empty, the stack uses the bus on PostgreSQL, in
   * the database `bus`.
   */
  readonly brokers: readonly string[];
  readonly secrets: Secrets;
  readonly receiver: ReceiverFiles;
  /** Folder of the processes' certificates. */
  readonly identityFolder: string;
  readonly mailDir: string;
  /** File of custody's checkpoints outside of its database. */
  readonly anchorFile: string;
  /** Folder of the documentation site, which may be built later. */
  readonly siteFolder: string;
  /** File of the auditor's state. */
  readonly auditorFile: string;
  /**
   * The launcher's own environment. Each process receives it, with the settings of `wiring` and of
   * the process in place of variables of the same names.
   */
  readonly environment: NodeJS.ProcessEnv;
}
