/**
 * Sends `begin` and the first statement of a transaction in one message. `pg` waits for the response
 * to `begin` first: an eighth of all messages to PostgreSQL.
 */
import pg, { type Connection, type PoolClient, type QueryConfig } from 'pg';

type Run = (...words: unknown[]) => Promise<unknown>;

/** What `pg` keeps of a connection and a statement, without a declaration in its types. */
interface WithStatements extends Connection {
  readonly parsedStatements: Readonly<Record<string, string>>;
}
declare module 'pg' {
  interface Query {
    prepare(connection: Connection): void;
    handleCommandComplete(message: unknown, connection: Connection): void;
  }
}

const isBegin = (text: unknown): text is string =>
  typeof text === 'string' && /^(begin|start transaction)\b/.test(text);
const isEnd = (text: unknown): boolean => text === 'commit' || text === 'rollback';

/**
 * A prepared statement after a `begin`, up to one Sync message. PostgreSQL skips the statement if
 * `begin` fails, so the statement never runs outside of the transaction.
 */
class FirstQuery extends pg.Query {
  readonly #begin: string;
  #hasBegun = false;

  constructor(begin: string, config: QueryConfig, done: (error: Error, result: unknown) => void) {
    super(config, undefined, done as never);
    this.#begin = begin;
  }

  override prepare(connection: Connection): void {
    connection.parse({ text: this.#begin, name: '', types: [] }, true);
    connection.bind({}, true);
    connection.execute({}, true);
    super.prepare(connection);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#hasBegun) super.handleCommandComplete(message, connection);
    this.#hasBegun = true;
  }
}

/**
 * Makes a connection keep `begin` back until the next statement. A statement that is not prepared
 * yet waits for the response to `begin`. A transaction without statements sends nothing.
 */
export const beginWithFirst = (client: PoolClient): void => {
  const run = client.query.bind(client) as Run;
  const { connection } = client as unknown as { connection: WithStatements };
  let begin: string | undefined;
  let opening: Promise<unknown> | undefined;

  const together = (text: string, config: QueryConfig) =>
    new Promise((resolve, reject) => {
      const done = (error: Error | null, result: unknown) =>
        error ? reject(error) : resolve(result);
      void run(new FirstQuery(text, config, done));
    });

  const query: Run = (text, ...rest) => {
    if (opening) return opening.then(() => run(text, ...rest));
    if (begin === undefined) {
      if (!isBegin(text)) return run(text, ...rest);
      begin = text;
      return Promise.resolve(nothing);
    }
    const held = begin;
    begin = undefined;
    if (isEnd(text)) return Promise.resolve(nothing);
    const config = text as QueryConfig;
    const isPrepared = config.name && connection.parsedStatements[config.name] === config.text;
    if (isPrepared) return together(held, config);
    opening = run(held).finally(() => {
      opening = undefined;
    });
    return opening.then(() => run(text, ...rest));
  };
  client.query = query as typeof client.query;
};

const nothing = { command: '', rowCount: null, oid: 0, fields: [], rows: [] };
