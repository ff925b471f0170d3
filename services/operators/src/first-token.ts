#!/usr/bin/env node
/**
 * Migrates the database, then issues a personal token: the first credential of a deployment, or the
 * replacement of a lost one. Connects as the owner of the database. Prints the token; a token that
 * cannot be printed is revoked. Without --another it exits with 1 if an administrator's token is
 * valid.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ConfigError, parseDurationMs, readConfig, url } from '@pto/config';
import { clockTimestamp, execute, lockName, migrate, openDatabase } from '@pto/database';
import { Failure } from '@pto/errors';
import { operatorRoles } from '@pto/proto/callers';
import { createTelemetry, newRequestId } from '@pto/telemetry';
import { migrations } from '../migrations/index.ts';
import { auditLog } from './audit/audit-log.ts';
import { issueToken, operatorTokens } from './identity/tokens.ts';
import { tables } from './schema/tables.ts';

const usage = `first-token [--another] [--name NAME] [--role ROLE]… [--expires-in 8h] [--json]
            [--database-url-stdin]

Issues a personal token, by default for the role admin and 8 h, in the database of
MIGRATION_DATABASE_URL, or of the URL on standard input. With --another it does so although an
administrator's token is valid.
Roles: ${operatorRoles.join(', ')}.
`;

const settings = { ownerUrl: url('MIGRATION_DATABASE_URL', ['postgres', 'postgresql']) };

const validAdministrator = tables
  .selectFrom('operator_tokens')
  .select('name')
  .where((eb) => eb(eb.val('admin'), '=', eb.fn.any('roles')))
  .where('revoked_at', 'is', null)
  .where('expires_at', '>', clockTimestamp);

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
      // of two concurrent calls, the second one finds the token of the first
      await lockName(tx, 'first-token');
      const [valid] = await execute(tx, validAdministrator);
      if (valid && !values.another)
        throw new Error(
          `the administrator's token "${valid.name}" is valid; use it, or add --another`,
        );
      const issued = await issueToken(tx, {
        name: values.name,
        roles: values.role,
        carrierId: '',
        expiresInSeconds: Math.floor(parseDurationMs(values['expires-in']) / 1000),
        by: 'first-token',
      });
      const log = auditLog(tx);
      const action = await log.begin({
        operator: {
          id: issued.token.id,
          name: 'owner of the database',
          roles: [],
          credential: 'owner',
        },
        rpc: 'first-token',
        target: values.name,
        request: JSON.stringify({ roles: issued.token.roles }),
        requestId: newRequestId(),
        clientAddress: '',
        allowed: true,
        page: null,
      });
      await log.end(action, 'ok', 0);
      return issued;
    });
    const { id, name, roles, expiresAt: expires_at } = token;
    const shown = { id, name, roles, token: secret, expires_at };
    await write(values.json ? `${JSON.stringify(shown)}\n` : `${secret}\n`).catch(
      async (cause: Error) => {
        // nobody has the token, and while it is valid no other one is issued without --another
        await operatorTokens(db).revoke(id, 'first-token');
        throw new Error(`The token cannot be printed and was revoked: ${cause.message}`, { cause });
      },
    );
  } finally {
    await db.close();
  }
};

const write = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.once('error', reject);
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });

try {
  await run(process.argv.slice(2));
} catch (error) {
  const { code, message } = error as Error & { code?: string };
  process.stderr.write(`${error instanceof Failure ? `${error.kind}: ` : ''}${message}\n`);
  const wrongUsage = error instanceof ConfigError || code?.startsWith('ERR_PARSE_ARGS');
  process.exitCode = wrongUsage ? 2 : 1;
}
