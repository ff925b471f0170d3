import type { Command } from 'commander';
import type { Client } from '../../typescript/src/index.ts';

import type { Credential } from './credential.ts';
import type { Keyring } from './keyring.ts';

/** What the commands of one run share. */
export interface Context {
  readonly environment: NodeJS.ProcessEnv;
  readonly keyring: Keyring;
  /** Standard input. */
  readonly input: () => NodeJS.ReadStream;
  /** Calls a function at the first Ctrl-C, SIGTERM or SIGHUP. The returned function ends that. */
  readonly onInterrupt: (handle: () => void) => () => void;
  /** Returns the key and its API. @throws WrongUsage */
  readonly credential: () => Credential;
  /** Returns the client of the credential. @throws WrongUsage */
  readonly client: () => Client;
}

/** Whether the command prints for programs. */
export const isJson = (command: Command): boolean =>
  command.optsWithGlobals<{ json?: boolean }>().json === true;
