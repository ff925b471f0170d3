import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Failure } from '@pto/errors';
import { operatorRoles } from '@pto/proto/callers';
import { openClients } from '../../../operator/src/clients.ts';
import { checkout, compileCache } from '../checkout.ts';
import type { ProgramFiles } from '../processes/programs.ts';
import type { OperatorCommand } from './operator-command.ts';

const run = promisify(execFile);
const withinMs = 60_000;
const renewBeforeMs = 7 * 86_400_000;

/**
 * Returns a personal operator token for this folder's local stack: `stored` if the operators service
 * accepts it and it is valid for another week, else a new token with all roles.
 * @param command the operator's command line; its environment needs no token.
 */
export const openOperatorToken = async (
  stored: string,
  command: OperatorCommand,
  programs: ProgramFiles,
  ownerUrl: string,
  signal: AbortSignal,
): Promise<string> => {
  if (stored !== '' && (await isValid({ ...command.env, OPERATOR_TOKEN: stored }, signal)))
    return stored;
  const { stdout } = await run(
    process.execPath,
    [
      programs.fileOf('first-token'),
      ...['--another', '--json', '--name', 'local', '--expires-in', '366d'],
      ...operatorRoles.flatMap((role) => ['--role', role]),
    ],
    {
      cwd: checkout,
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: compileCache,
        MIGRATION_DATABASE_URL: ownerUrl,
      },
      timeout: withinMs,
      signal,
    },
  );
  return (JSON.parse(stdout) as { token: string }).token;
};

const isValid = async (env: Readonly<Record<string, string>>, signal: AbortSignal) => {
  try {
    const { expiresAt } = await openClients(env).operators.whoAmI({}, { signal });
    return Date.parse(expiresAt) > Date.now() + renewBeforeMs;
  } catch (error) {
    if (error instanceof Failure && error.kind.startsWith('OPERATOR_')) return false;
    throw error;
  }
};
