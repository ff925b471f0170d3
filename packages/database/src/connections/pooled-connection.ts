import pg, { type Connection, type QueryConfig, type QueryResult, type WithStatements } from 'pg';
import { isStalePlan } from '../sql-state.ts';

/** What `pg` keeps of a query, without a declaration in its types. */
declare module 'pg' {
  interface Query {
    _result: QueryResult;
    _canceledDueToError: unknown;
    prepare(connection: Connection): void;
    requiresPreparation(): boolean;
    handleDataRow(message: unknown): void;
    handleCommandComplete(message: unknown, connection: WithStatements): void;
  }
  interface WithStatements extends Connection {
    readonly parsedStatements: Record<string, string>;
    readonly submittedNamedStatements: Record<string, string>;
  }
}

/** The name under which a connection prepares a statement. */
interface Prepared {
  readonly name: string;
  /** Whether the server has parsed the statement under this name. */
  isParsed: boolean;
}

interface Statement extends QueryConfig<unknown[]> {
  readonly text: string;
  readonly prepared: Prepared | undefined;
  /** Where the result is needed; null if it is not. */
  readonly result: PromiseWithResolvers<QueryResult> | null;
}

/**
 * Statements that are sent in one message, up to one Sync. After an error PostgreSQL skips the
 * statements behind it, so none of them runs outside of the transaction, nor is it committed without
 * an earlier one. Each statement gets its result; the error of the first that fails is that of all
 * behind it, too.
 */
class Message extends pg.Query {
  readonly #statements: readonly Statement[];
  /** Number of statements with a response. */
  #answered = 0;

  /** @param ended gets the error, and the statements that have no result because of it. */
  constructor(
    statements: readonly Statement[],
    ended: (error: Error | null, unanswered: readonly Statement[]) => void,
  ) {
    const last = statements.at(-1)!;
    const settle = (error: Error | null) => {
      if (error) for (const { result } of statements) result?.reject(error);
      else last.result?.resolve(this._result);
      ended(error, statements.slice(this.#answered));
    };
    super(last, undefined, settle as never);
    this.#statements = statements;
  }

  /** The extended protocol, also for a statement without parameters. */
  override requiresPreparation(): boolean {
    return this.#statements.length > 1 || super.requiresPreparation();
  }

  override prepare(connection: Connection): void {
    const sync = { value: () => {} };
    const withoutSync = Object.create(connection, { sync });
    const withoutRows = Object.create(connection, { sync, describe: { value: () => {} } });
    // parameters that cannot be encoded: without its connection, nothing of the transaction stays
    const failed = (error?: Error) => void connection.stream.destroy(error);
    for (const statement of this.#statements.slice(0, -1))
      new pg.Query(statement, undefined, failed).prepare(
        statement.result ? withoutSync : withoutRows,
      );
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.#statements[this.#answered]?.result !== null) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: WithStatements): void {
    const statement = this.#statements[this.#answered++];
    if (statement?.prepared) {
      const { text, prepared } = statement;
      prepared.isParsed = true;
      connection.parsedStatements[prepared.name] = text;
      delete connection.submittedNamedStatements[prepared.name];
    }
    if (statement?.result === null) return;
    super.handleCommandComplete(message, connection);
    const isLast = this.#answered >= this.#statements.length;
    if (!isLast && !this._canceledDueToError) statement?.result?.resolve(this._result);
  }
}

/**
 * Maximum number of prepared statements per connection. Each takes about 10 kB of the server's
 * memory.
 */
const preparedMax = 200;
/** Settings that PostgreSQL reports to each session at its start, and after each change. */
const reported = new Set(['default_transaction_read_only', 'in_hot_standby']);

/**
 * A connection of the pool.
 *
 * It sends several statements in one message, because each message costs both sides a system call
 * and a wake-up (R4: the CPU time of an order fell from 25.3 to 20.5 ms, docs/performance.md). It
 * holds back `begin` and statements whose result is not needed at once, and sends them with the next
 * statement. A transaction without statements sends nothing.
 *
 * It prepares each statement with parameters. PostgreSQL then parses the statement once, and plans it
 * once if the parameters' values make no difference (R1: planning took three quarters of
 * PostgreSQL's time for requests that read an order). A statement whose result type a migration has
 * changed is prepared again at its next run.
 */
export class PooledConnection extends pg.Client {
  #held: Statement[] = [];
  /** Messages that wait for the response to the one before; `pg` takes one query at a time. */
  readonly #waiting: Message[] = [];
  #isBusy = false;
  readonly #prepared = new Map<string, Prepared>();
  #preparedCount = 0;
  /** The settings that are on because the database accepts no writes. */
  readonly #readOnly = new Set<string>();

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: Connection };
    connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (!reported.has(parameterName)) return;
      if (parameterValue === 'on') this.#readOnly.add(parameterName);
      else this.#readOnly.delete(parameterName);
    });
  }

  /**
   * Whether the database accepts no writes of this session: a demoted primary, or a server that its
   * provider has made read-only because its disk is full.
   */
  get isReadOnly(): boolean {
    return this.#readOnly.size > 0;
  }

  /** Begins a transaction with the next statement. */
  begin(text: 'begin' | 'begin isolation level repeatable read read only'): void {
    this.#held = [{ text, prepared: undefined, result: null }];
  }

  /** Runs a statement behind those that are held back, in one message with them. */
  run(text: string, values?: readonly unknown[]): Promise<QueryResult> {
    const result = Promise.withResolvers<QueryResult>();
    this.#send([...this.#held.splice(0), this.#statement(text, values, result)]);
    return result.promise;
  }

  /** Holds back a statement whose result is not needed. */
  hold(text: string, values?: readonly unknown[]): void {
    this.#held.push(this.#statement(text, values, null));
  }

  /** Holds back a statement until the end of the event loop's turn. */
  runWithNext(text: string, values?: readonly unknown[]): Promise<QueryResult> {
    const result = Promise.withResolvers<QueryResult>();
    result.promise.catch(() => {}); // the caller may see the same error of the next statement first
    const statement = this.#statement(text, values, result);
    this.#held.push(statement);
    setImmediate(() => {
      const at = this.#held.indexOf(statement);
      if (at >= 0) this.#send(this.#held.splice(0, at + 1));
    });
    return result.promise;
  }

  /** Commits the transaction, unless it has no statements. */
  async commit(): Promise<void> {
    if (this.#held.length === 1 && this.#isUnsent) this.#held = [];
    else await this.run('commit');
  }

  /** Drops the statements that are held back, and rolls back the transaction if it was sent. */
  async rollback(): Promise<void> {
    const isUnsent = this.#isUnsent;
    const error = new Error('the transaction was rolled back');
    for (const { result } of this.#held.splice(0)) result?.reject(error);
    if (!isUnsent) await this.run('rollback');
  }

  get #isUnsent(): boolean {
    return this.#held[0]?.text.startsWith('begin') ?? false;
  }

  #send(statements: readonly Statement[]): void {
    const ended = (error: Error | null, unanswered: readonly Statement[]) => {
      for (const { text, prepared } of unanswered)
        if ((error && isStalePlan(error)) || !prepared?.isParsed) this.#prepared.delete(text);
      this.#isBusy = false;
      this.#sendNext();
    };
    this.#waiting.push(new Message(statements, ended));
    if (!this.#isBusy) this.#sendNext();
  }

  #sendNext(): void {
    const message = this.#waiting.shift();
    if (!message) return;
    this.#isBusy = true;
    this.query(message);
  }

  #statement(
    text: string,
    values: readonly unknown[] = [],
    result: Statement['result'],
  ): Statement {
    const prepared = values.length > 0 ? this.#preparedOf(text) : undefined;
    return { name: prepared?.name, text, values: [...values], result, prepared };
  }

  #preparedOf(text: string): Prepared | undefined {
    const known = this.#prepared.get(text);
    if (known) return known;
    if (this.#preparedCount === preparedMax) return undefined;
    const prepared = { name: `s${this.#preparedCount++}`, isParsed: false };
    this.#prepared.set(text, prepared);
    return prepared;
  }
}
