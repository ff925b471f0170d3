import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Client } from 'pg';
import { asSuperuser } from '../as-superuser.ts';
import { sharedStack } from './test-stack.ts';

const repository = new URL('../../', import.meta.url).pathname;
const databases = ['access', 'orders', 'custody', 'webhooks'] as const;
const verbs = 'select|update|alter|truncate|set|grant';

const stack = sharedStack();

/** Statements of the operators' pages, without those that are only named (`alter table … …`). */
const documented = globSync('docs/operators/**/*.md', { cwd: repository }).flatMap((path) => {
  const text = readFileSync(`${repository}${path}`, 'utf8');
  const blocks = [...text.matchAll(/```sql\n([\s\S]*?)```/g)];
  const inline = [...text.matchAll(new RegExp(`\`((?:${verbs}) [^\`\\n]+)\``, 'g'))];
  const commands = [...text.matchAll(/psql [^\n]* -c '([^'\n]+)'/g)];
  return [...blocks, ...inline, ...commands]
    .map(([, statement]) => ({ path, statement: statement!.trim() }))
    .filter(({ statement }) => !/table …|'…'/.test(statement));
});

/** Returns the statement with values in place of the words that stand for one. */
const filled = (statement: string): string =>
  statement
    .replaceAll(/'(?:ORDER|ID)'/g, "'00000000-0000-7000-8000-000000000000'")
    .replaceAll(/\bN\b/g, '1')
    .replaceAll(/'[A-Z][A-Z 0-9]+'/g, "'1970-01-01'");

/** Runs statements without an effect. @returns why they fail; undefined if they run. */
const failureOf = async (client: Client, statement: string): Promise<string | undefined> => {
  await client.query("begin; set local lock_timeout = '5s'");
  const failure = await client.query(filled(statement)).then(
    () => undefined,
    ({ message }: Error) => message,
  );
  await client.query('rollback');
  return failure;
};

/** Returns why no database accepts the statements; undefined if one of them does. */
const rejectionOf = async (statement: string): Promise<string | undefined> => {
  const failures: string[] = [];
  for (const database of databases) {
    const failure = await asSuperuser(stack, database, (client) => failureOf(client, statement));
    if (failure === undefined) return undefined;
    failures.push(`${database}: ${failure}`);
  }
  return failures.join('; ');
};

test('each statement of the operators pages runs in one of the databases', async () => {
  expect(documented.length).toBeGreaterThan(10);
  const rejected: string[] = [];
  for (const { path, statement } of documented) {
    const rejection = await rejectionOf(statement);
    if (rejection) rejected.push(`${path}: ${statement}: ${rejection}`);
  }
  expect(rejected).toEqual([]);
});

test.each(['select nothing from outbox', 'update outbox set sent = null', 'alter function none()'])(
  '%s is reported',
  async (statement) => {
    expect(await rejectionOf(statement)).toContain('orders: ');
  },
);
