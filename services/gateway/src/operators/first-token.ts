#!/usr/bin/env node
/**
 * Issues a personal token with the database owner's rights: the first credential of a deployment,
 * or a way back in. Prints the token; exit 1 where an administrator's token is valid already.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ConfigError, parseDurationMs, readConfig, url } from '@pto/config';
import { migrate, openDatabase, uuidv7 } from '@pto/database';
import { Failure } from '@pto/errors';
import { operatorRoles } from '@pto/proto/callers';
import { createTelemetry, newRequestId } from '@pto/telemetry';
import { migrations } from '../../migrations/index.ts';
import { issueToken } from './tokens.ts';

const usage = `first-token [--another] [--name NAME] [--role ROLE]… [--expires-in 8h] [--json]
            [--database-url-stdin]

Issues a personal token, by default for the role admin and 8 h, in the database of
MIGRATION_DATABASE_URL, or of the URL on standard input. With --another it does so although an administrator's token is valid.
Roles: ${operatorRoles.join(', ')}.
`;

const settings = { ownerUrl: url('MIGRATION_DATABASE_URL', ['postgres', 'postgresql']) };

const run = async (words: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...words],
    options: {
      another: { type: 'boolean', default: false },
      name: { type: 'string', default: 'first administrator' },
      role: { type: 'string', multiple: true, default: ['admin'] },
      'expires-in': { type: 'string', default: '8h' },
      json: { type: 'boolean', default: false },
      'database-url-stdin': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  const given = values['database-url-stdin']
    ? { MIGRATION_DATABASE_URL: readFileSync(0, 'utf8').trim() }
    : process.env;
  const { ownerUrl } = readConfig(settings, given).settings;
  await migrate(ownerUrl, migrations);
  const db = await openDatabase({
    url: ownerUrl,
    poolMax: 1,
    statementTimeoutMs: 10_000,
    lockTimeoutMs: 10_000,
    telemetry: createTelemetry({ service: 'first-token', write: () => {} }),
  });
  try {
    const { secret, token } = await db.transaction(async (tx) => {
      // two at once: the second one sees the token of the first
      await tx.query('lock table operator_tokens in share row exclusive mode');
      const [valid] = await tx.query<{ name: string }>(
        `select name from operator_tokens
         where 'admin' = any (roles) and revoked_at is null and expires_at > clock_timestamp()`,
      );
      if (valid && !values.another)
        throw new Error(
          `the administrator's token "${valid.name}" is valid; use it, or add --another`,
        );
      const issued = await issueToken(tx, {
        name: values.name,
        roles: values.role,
        expiresInSeconds: Math.floor(parseDurationMs(values['expires-in']) / 1000),
        by: 'first-token',
      });
      const action = uuidv7();
      await tx.query(
        `insert into operator_actions (id, operator_id, operator_name, roles, credential, allowed,
           rpc, target, request, request_id, client_address)
         values ($1, $2, 'owner of the database', '{}', 'owner', true, 'first-token', $3, $4, $5, '')`,
        [
          action,
          issued.token.id,
          values.name,
          JSON.stringify({ roles: issued.token.roles }),
          newRequestId(),
        ],
      );
      await tx.query(
        `insert into operator_outcomes (action_id, outcome, duration_ms) values ($1, 'ok', 0)`,
        [action],
      );
      return issued;
    });
    const { id, name, roles, expiresAt: expires_at } = token;
    const shown = { id, name, roles, token: secret, expires_at };
    process.stdout.write(values.json ? `${JSON.stringify(shown)}\n` : `${secret}\n`);
  } finally {
    await db.close();
  }
};

try {
  await run(process.argv.slice(2));
} catch (error) {
  const { code, message } = error as Error & { code?: string };
  process.stderr.write(`${error instanceof Failure ? `${error.kind}: ` : ''}${message}\n`);
  const wrongUsage = error instanceof ConfigError || code?.startsWith('ERR_PARSE_ARGS');
  process.exitCode = wrongUsage ? 2 : 1;
}
