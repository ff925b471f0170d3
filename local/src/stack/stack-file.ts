import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { OperatorCommand } from '../operators/operator-command.ts';
import type { Organization } from '../operators/organizations.ts';
import type { ReceiverFiles } from '../secrets/authority.ts';
import { readJson, writePrivateJson } from '../secrets/private-file.ts';

/**
 * The content of `mesh.json`, for people, tests and benchmarks. The file exists only while the
 * local stack is ready.
 */
export interface StackFile {
  readonly baseUrl: string;
  readonly environment: string;
  readonly gateways: readonly string[];
  readonly organizations: readonly Organization[];
  readonly operator: OperatorCommand;
  readonly stores: {
    /**
     * URLs by name of the database, each with the role of the database's service. The key
     * `superuser` has the superuser's URL, which names no service's database.
     */
    readonly postgres: Readonly<Record<string, string>>;
    readonly redis: string | null;
    readonly kafka: readonly string[];
    /** Process ids of the stores that this stack started. */
    readonly pids: Readonly<Record<string, number>>;
  };
  readonly services: readonly {
    readonly name: string;
    readonly replica: number;
    readonly pid: number;
    readonly internalUrl: string;
    readonly metricsUrl: string;
    readonly healthUrl: string;
  }[];
  readonly receiver: ReceiverFiles;
  readonly mailDir: string;
}

export const stackFilePath = (dir: string): string => join(dir, 'mesh.json');

export const readStackFile = (dir: string): StackFile | undefined =>
  readJson<StackFile>(stackFilePath(dir));

export const writeStackFile = (dir: string, stack: StackFile): void =>
  writePrivateJson(stackFilePath(dir), stack);

/** Removes the file: the local stack is no longer ready. */
export const removeStackFile = (dir: string): void => rmSync(stackFilePath(dir), { force: true });
