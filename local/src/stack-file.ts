import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ReceiverFiles } from './authority.ts';
import type { OperatorCommand } from './operator-command.ts';
import type { Organization } from './organizations.ts';
import { readJson, writePrivateJson } from './private-file.ts';

/** `mesh.json`: what people, tests and benchmarks may use while the local stack is ready. */
export interface StackFile {
  readonly baseUrl: string;
  readonly environment: string;
  readonly gateways: readonly string[];
  readonly organizations: readonly Organization[];
  /** The operator's command line: the command, then its words, with `env` added. */
  readonly operator: OperatorCommand;
  readonly stores: {
    /** Of the services' own roles; `superuser` is connected to no service's database. */
    readonly postgres: Readonly<Record<string, string>>;
    readonly redis: string | null;
    readonly kafka: readonly string[];
    /** Of those that are ours. */
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

/** Nothing is promised any more. */
export const removeStackFile = (dir: string): void => rmSync(stackFilePath(dir), { force: true });
