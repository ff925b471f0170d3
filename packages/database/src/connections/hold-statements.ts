import type { Connection, PoolClient, QueryConfig, QueryResult } from 'pg';
import { type Held, Pipeline, rejectAll } from './pipeline.ts';
import { heldBack } from './statement-marks.ts';

type Run = (...words: unknown[]) => Promise<unknown>;

/** What `pg` keeps of a connection, without a declaration in its types. */
interface WithStatements extends Connection {
  readonly parsedStatements: Readonly<Record<string, string>>;
}

const isBegin = (text: string): boolean => /^(begin|start transaction)\b/.test(text);

/**
 * Makes a connection hold back `begin` and the statements that are marked (statement-marks.ts), and
 * send them with the next statement, in one message. If one of these statements is not prepared
 * yet, each is sent alone, in the same order. A transaction without statements sends nothing. A
 * rollback drops the statements that were held back. A statement whose result is needed is sent at
 * the end of the event loop's turn if none followed. Serves R4, as pipeline.ts says.
 */
export const holdStatements = (client: PoolClient): void => {
  const run = client.query.bind(client) as Run;
  const { connection } = client as unknown as { connection: WithStatements };
  let held: Held[] = [];
  let sending: Promise<unknown> | undefined;

  const isReady = ({ name, text, values = [] }: QueryConfig): boolean =>
    name === undefined ? values.length === 0 : connection.parsedStatements[name] === text;

  const sendTogether = (before: readonly Held[], last: QueryConfig) =>
    new Promise((resolve, reject) => {
      const done = (error: Error | null, result: QueryResult) =>
        error ? reject(error) : resolve(result);
      void run(new Pipeline(before, last, done));
    });

  const sendEach = async (statements: readonly Held[], last: QueryConfig) => {
    try {
      for (const { config, later } of statements) {
        const result = await run(config);
        later?.resolve(result as QueryResult);
      }
    } catch (error) {
      rejectAll(statements, error);
      throw error;
    }
    return run(last);
  };

  const send = (before: readonly Held[], last: QueryConfig): Promise<unknown> => {
    if (before.length === 0) return run(last);
    if (before.every(({ config }) => isReady(config)) && isReady(last))
      return sendTogether(before, last);
    sending = sendEach(before, last).finally(() => {
      sending = undefined;
    });
    return sending;
  };

  /** Sends the statements up to this one, if they are still held back. */
  const sendAlone = (statement: Held) => {
    const at = held.indexOf(statement);
    if (at < 0) return;
    const before = held.slice(0, at);
    held = held.slice(at + 1);
    const { resolve, reject } = statement.later!;
    send(before, statement.config).then((result) => resolve(result as QueryResult), reject);
  };

  const hold = (statement: Held) => {
    held.push(statement);
    if (statement.later) setImmediate(sendAlone, statement);
    return Promise.resolve(nothing);
  };

  const query: Run = (text, values, ...rest) => {
    if (sending) return sending.then(() => query(text, values, ...rest));
    const isText = typeof text === 'string';
    const given = (
      isText ? { text, ...(values !== undefined && { values }) } : text
    ) as QueryConfig;
    const later = heldBack(given.values);
    if (isBegin(given.text) || later !== undefined)
      return hold({ config: given, later: later ?? null });
    if (held.length === 0) return run(text, values, ...rest);
    const before = held;
    held = [];
    const isUnsent = isBegin(before[0]!.config.text);
    if (given.text === 'rollback') {
      rejectAll(before, new Error('the transaction was rolled back'));
      return isUnsent ? Promise.resolve(nothing) : run(text);
    }
    if (given.text === 'commit' && isUnsent && before.length === 1) return Promise.resolve(nothing);
    return send(before, given);
  };
  client.query = query as typeof client.query;
};

const nothing = { command: '', rowCount: null, oid: 0, fields: [], rows: [] };
