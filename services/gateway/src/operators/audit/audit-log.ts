import { createHash } from 'node:crypto';
import { type Database, execute, uuidv7 } from '@pto/database';
import { tables } from '../../schema/tables.ts';
import type { Operator } from '../operator.ts';

/** One call of an operator, before it is forwarded. */
export interface Attempt {
  readonly operator: Operator;
  /** `access.v1.AccessService/IssueKey`. */
  readonly rpc: string;
  readonly target: string;
  readonly request: string;
  readonly requestId: string;
  readonly clientAddress: string;
  /** False: no role of the operator allows it. */
  readonly allowed: boolean;
  /** A read: its pages are one row. */
  readonly readOnly: boolean;
}

export interface AuditLog {
  /**
   * Appends the attempt, unless it is a further page of a read.
   * @returns the row's id. @throws Failure where nothing could be written.
   */
  begin(attempt: Attempt): Promise<string>;
  /**
   * Appends the outcome, `ok` or the kind of failure, unless the row has the same one: pages of one
   * read may end differently. The log shows `ok` if any page was answered.
   */
  end(id: string, outcome: string, durationMs: number): Promise<void>;
}

const hourMs = 3_600_000;

/**
 * Pages of one read share operator, request id, RPC and target. The client chooses the request id,
 * so a row stands for the pages of one hour at most.
 */
const foldKey = ({ operator, requestId, rpc, target, allowed }: Attempt): Buffer =>
  createHash('sha256')
    .update(
      JSON.stringify([
        operator.id,
        requestId,
        rpc,
        target,
        allowed,
        Math.floor(Date.now() / hourMs),
      ]),
    )
    .digest();

/** The append-only log of operators' actions (decision 59). */
export const auditLog = (db: Database): AuditLog => ({
  begin: async (attempt) => {
    const { operator } = attempt;
    const key = attempt.readOnly ? foldKey(attempt) : null;
    const [row] = await execute(
      db,
      tables
        .insertInto('operator_actions')
        .values({
          id: uuidv7(),
          operator_id: operator.id,
          operator_name: operator.name,
          roles: [...operator.roles],
          credential: operator.credential,
          allowed: attempt.allowed,
          rpc: attempt.rpc,
          target: attempt.target,
          request: attempt.request,
          request_id: attempt.requestId,
          client_address: attempt.clientAddress,
          fold_key: key,
        })
        .onConflict((conflict) => conflict.column('fold_key').doNothing())
        .returning('id'),
    );
    if (row) return row.id;
    const [first] = await execute(
      db,
      tables.selectFrom('operator_actions').select('id').where('fold_key', '=', key),
    );
    return first!.id;
  },
  end: async (id, outcome, durationMs) => {
    await db.query(
      `insert into operator_outcomes (action_id, outcome, duration_ms) select $1, $2, $3
       where not exists (select from operator_outcomes where action_id = $1 and outcome = $2)`,
      [id, outcome, Math.round(durationMs)],
    );
  },
});
