/** The statements that the services send to PostgreSQL, from its log. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { asSuperuser } from '../../e2e/as-superuser.ts';
import type { LocalStack } from '../../e2e/local-stack.ts';

export interface LoggedStatement {
  readonly database: string;
  readonly text: string;
  /** The values of up to three executions, as SQL literals. */
  readonly values: readonly (readonly string[])[];
}

const valuesMax = 3;

/** Runs work. @returns each statement that services executed meanwhile, once for each database. */
export const statementsOf = async (
  stack: LocalStack,
  work: () => Promise<void>,
): Promise<LoggedStatement[]> => {
  const path = join(stack.dir, 'logs/postgres.log');
  await configure(stack, ["log_statement = 'all'", "log_line_prefix = '|%d|%u|'"]);
  const begun = statSync(path).size;
  await work();
  await configure(stack, ["log_statement = 'none'"]);
  return parse(readFileSync(path).subarray(begun).toString());
};

/** Changes settings of the running server. */
export const configure = (stack: LocalStack, settings: readonly string[]): Promise<void> =>
  asSuperuser(stack, 'postgres', async (client) => {
    for (const setting of settings) await client.query(`alter system set ${setting}`);
    await client.query('select pg_reload_conf()');
  });

/** Of a statement, or of the values of the statement before. Further lines begin with a tab. */
const line = /^\|(\w*)\|(\w*)\|(?:LOG: {2}(?:execute [^:]+|statement): |DETAIL: {2}Parameters: )/;
const value = /\$\d+ = (NULL|'(?:[^']|'')*')/g;
const readsOrWrites = /^\s*(select|insert|update|delete|with|merge)\b/i;

/** @param log lines with the prefix `|%d|%u|` of a server that logs all statements. */
export const parse = (log: string): LoggedStatement[] => {
  const found = new Map<string, LoggedStatement & { values: string[][] }>();
  let last: string[][] | undefined;
  for (const entry of log.split(/\n(?=\|\w*\|\w*\|)/)) {
    const [start, database, user] = line.exec(entry) ?? [];
    if (start === undefined || user === 'postgres') continue;
    const rest = entry.slice(start.length).replaceAll('\n\t', '\n').trimEnd();
    if (start.includes('DETAIL')) {
      if (last && last.length < valuesMax)
        last.push([...rest.matchAll(value)].map(([, one]) => one!));
      last = undefined;
      continue;
    }
    last = undefined;
    if (!readsOrWrites.test(rest)) continue;
    const key = `${database} ${rest}`;
    const known = found.get(key) ?? { database: database!, text: rest, values: [] };
    found.set(key, known);
    last = known.values;
  }
  return [...found.values()];
};
