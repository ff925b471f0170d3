/**
 * Sends several statements of a transaction in one message, without waiting for the responses in
 * between. Each message costs both sides a system call and a wake-up.
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
    requiresPreparation(): boolean;
    handleDataRow(message: unknown): void;
    handleCommandComplete(message: unknown, connection: Connection): void;
  }
}

const pipelined = new WeakSet<readonly unknown[]>();

/**
 * Marks the parameters of a statement whose result is not needed. A connection keeps the statement
 * back and sends it with the next statement, or with the commit.
 */
export const markPipelined = (parameters: readonly unknown[]): void => {
  pipelined.add(parameters);
};

const isBegin = (text: string): boolean => /^(begin|start transaction)\b/.test(text);

/**
 * Statements that are sent up to one Sync message. After an error PostgreSQL skips the statements
 * behind it, so none of them runs outside of the transaction, nor is it committed without an
 * earlier one. The result is that of the last statement, the error that of the first that fails.
 */
class Pipeline extends pg.Query {
  readonly #before: readonly QueryConfig[];
  /** Number of earlier statements without a response. */
  #left: number;

  constructor(
    before: readonly QueryConfig[],
    last: QueryConfig,
    done: (error: Error, result: unknown) => void,
  ) {
    super(last, undefined, done as never);
    this.#before = before;
    this.#left = before.length;
  }

  /** The extended protocol, also for a statement without parameters. */
  override requiresPreparation(): boolean {
    return true;
  }

  override prepare(connection: Connection): void {
    const withoutSync = Object.create(connection, {
      describe: { value: () => {} },
      sync: { value: () => {} },
    });
    // parameters that cannot be encoded: without its connection, nothing of the transaction stays
    const failed = (error?: Error) => void connection.stream.destroy(error);
    for (const one of this.#before) new pg.Query(one, undefined, failed).prepare(withoutSync);
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.#left === 0) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#left === 0) super.handleCommandComplete(message, connection);
    else this.#left--;
  }
}

/**
 * Makes a connection keep back `begin` and the statements that are marked as pipelined, and send
 * them with the next statement. If one of these statements is not prepared yet, each is sent alone,
 * in the same order. A transaction without statements sends nothing. A rollback drops the
 * statements that were kept back.
 */
export const pipelineStatements = (client: PoolClient): void => {
  const run = client.query.bind(client) as Run;
  const { connection } = client as unknown as { connection: WithStatements };
  let held: QueryConfig[] = [];
  let sending: Promise<unknown> | undefined;

  const isReady = ({ name, text, values = [] }: QueryConfig): boolean =>
    name === undefined ? values.length === 0 : connection.parsedStatements[name] === text;

  const sendTogether = (before: readonly QueryConfig[], last: QueryConfig) =>
    new Promise((resolve, reject) => {
      const done = (error: Error | null, result: unknown) =>
        error ? reject(error) : resolve(result);
      void run(new Pipeline(before, last, done));
    });

  const sendEach = async (statements: readonly QueryConfig[], last: QueryConfig) => {
    for (const one of statements) await run(one);
    return run(last);
  };

  const query: Run = (text, values, ...rest) => {
    if (sending) return sending.then(() => query(text, values, ...rest));
    const isText = typeof text === 'string';
    const given = (
      isText ? { text, ...(values !== undefined && { values }) } : text
    ) as QueryConfig;
    if (isBegin(given.text) || (given.values && pipelined.has(given.values))) {
      held.push(given);
      return Promise.resolve(nothing);
    }
    if (held.length === 0) return run(text, values, ...rest);
    const before = held;
    held = [];
    const isUnsent = isBegin(before[0]!.text);
    if (given.text === 'rollback') return isUnsent ? Promise.resolve(nothing) : run(text);
    if (given.text === 'commit' && isUnsent && before.length === 1) return Promise.resolve(nothing);
    if ([...before, given].every(isReady)) return sendTogether(before, given);
    sending = sendEach(before, given).finally(() => {
      sending = undefined;
    });
    return sending;
  };
  client.query = query as typeof client.query;
};

const nothing = { command: '', rowCount: null, oid: 0, fields: [], rows: [] };
