import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { operatorRoles } from '@pto/proto/callers';

const execute = promisify(execFile);
const withinMs = 60_000;

/**
 * Issues a token with all roles in a cluster for trials (docs/operators/identities.md). The owner's
 * URL goes by standard input: it reaches neither a log nor an argument.
 * @param where `--namespace` and the like, for kubectl.
 */
export const firstToken = async (where: readonly string[]): Promise<string> => {
  const kubectl = (...words: string[]) =>
    execute('kubectl', [...where, ...words], { timeout: withinMs });
  const path = '-o=jsonpath={.data.MIGRATION_DATABASE_URL}';
  const { stdout: url } = await kubectl('get', 'secret', 'access-owner', path);
  const issuing = kubectl(
    ...['exec', '-i', 'deployment/operators', '--', '/usr/local/bin/node'],
    ...['first-token.mjs', '--database-url-stdin', '--another'],
    ...operatorRoles.flatMap((role) => ['--role', role]),
  );
  issuing.child.stdin?.end(Buffer.from(url, 'base64'));
  return (await issuing).stdout.trim();
};
