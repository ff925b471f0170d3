import { createHash } from 'node:crypto';
import {
  type DescMessage,
  type DescMethod,
  type JsonObject,
  type JsonValue,
  type Message,
  toJson,
} from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import { execute, insertFromArrays, type Sql, uuidv7 } from '@pto/database';
import { callers } from '@pto/proto/callers';
import { scrub } from '@pto/telemetry';
import { textAt } from '../fields.ts';
import type { Operator } from '../identity/operator.ts';
import { tables } from '../schema/tables.ts';

/** One call of an operator, before it is forwarded. */
export interface Attempt {
  readonly operator: Pick<Operator, 'id' | 'name' | 'roles'> & {
    /** `owner`: the owner of the database, by the program `first-token`. */
    readonly credential: Operator['credential'] | 'owner';
  };
  /** Full name of the RPC, such as `access.v1.AccessService/IssueKey`. */
  readonly rpc: string;
  readonly target: string;
  readonly request: string;
  readonly requestId: string;
  readonly clientAddress: string;
  /** False if no role of the operator permits the RPC. */
  readonly allowed: boolean;
  /**
   * What a read reads, and whether this is a page after the first one; null for a command. Further
   * pages are recorded in the row of their read's first page.
   */
  readonly page: ReadPage | null;
}

interface ReadPage {
  readonly read: string;
  readonly isFurtherPage: boolean;
  /** Whether the read belongs to the hour's row, whatever its request id. */
  readonly isHourly: boolean;
}

const hourMs = 3_600_000;

/**
 * Returns the key that the pages of one read share: a hash of operator, request id, RPC, what is
 * read, target, permission and hour. The client chooses the request id, so a key alone never hides
 * a call: every call but a further page has a row of its own, and one row stands for the pages of
 * one read within one hour.
 */
const foldKey = ({ operator, requestId, rpc, page, target, allowed }: Attempt): Buffer =>
  createHash('sha256')
    .update(
      JSON.stringify([
        operator.id,
        page?.isHourly ? '' : requestId,
        rpc,
        page?.read,
        target,
        allowed,
        Math.floor(Date.now() / hourMs),
      ]),
    )
    .digest();

/** Appends a row, unless a row has the key already. */
const insert = (sql: Sql, attempt: Attempt, key: Buffer | null) => {
  const { operator } = attempt;
  return execute(
    sql,
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
};

/** Writes the append-only log of operators' actions (decision 59). */
export const auditLog = (sql: Sql) => ({
  /**
   * Appends the attempt, under an id of our own; for a further page of a read, finds the row of the
   * first page.
   * @returns the row's id.
   * @throws Failure if the row cannot be written.
   */
  begin: async (attempt: Attempt): Promise<string> => {
    const key = attempt.page && foldKey(attempt);
    const [row] = await insert(sql, attempt, key);
    if (row) return row.id;
    // the same read was begun before: this call is a page of it, or the read is repeated
    const [other] = attempt.page?.isFurtherPage
      ? await execute(
          sql,
          tables.selectFrom('operator_actions').select('id').where('fold_key', '=', key),
        )
      : await insert(sql, attempt, null);
    return other!.id;
  },
  /**
   * Appends the outcome, `ok` or the kind of failure, unless the action has this outcome already.
   * Pages of one read may end differently: the log shows `ok` if any page succeeded.
   * @param createdId the id of what the action created; empty: nothing.
   */
  end: async (id: string, outcome: string, durationMs: number, createdId = ''): Promise<void> => {
    const same = tables
      .selectFrom('operator_outcomes')
      .where('action_id', '=', id)
      .where('outcome', '=', outcome);
    await execute(
      sql,
      insertFromArrays(
        tables,
        'operator_outcomes',
        tables.selectNoFrom([]).where(({ exists, not }) => not(exists(same))),
        () => ({
          action_id: id,
          outcome,
          duration_ms: Math.round(durationMs),
          created_id: createdId || null,
        }),
      ),
    );
  },
});

const requestMaxBytes = 4096;
const targetMax = 255;

/**
 * Returns the request as JSON, cut at 4 KiB. Nobody can remove anything from the log, so fields that
 * can hold personal data (`debug_redact` in proto) are recorded as `[redacted]` (decision 70). No
 * field is meant for a secret; one that an operator pastes in place of an id is masked.
 * @param cell what the operator named beside the request; undefined: nothing.
 */
export const requestText = (method: DescMethod, request: Message, cell?: string): string => {
  const members = redacted(method.input, toJson(method.input, request)) as JsonObject;
  const text = scrub(JSON.stringify(cell === undefined ? members : { ...members, cell }));
  const bytes = Buffer.from(text);
  if (bytes.length <= requestMaxBytes) return text;
  // stream mode omits a character that the cut has split, instead of writing U+FFFD
  const head = new TextDecoder().decode(bytes.subarray(0, requestMaxBytes), { stream: true });
  return `${head}…`;
};

/** Replaces the values of fields that are marked `debug_redact` in a message's JSON; returns it. */
const redacted = (schema: DescMessage, json: JsonValue): JsonValue => {
  const members = json as JsonObject;
  for (const { jsonName, proto, message } of schema.fields) {
    if (members[jsonName] === undefined) continue;
    if (proto.options?.debugRedact) members[jsonName] = '[redacted]';
    else if (message && !Array.isArray(members[jsonName])) redacted(message, members[jsonName]);
  }
  return json;
};

/**
 * Returns the target of a call: the value of the field that `proto/callers.ts` names for the RPC,
 * cut at 255 characters; empty if no field is named.
 */
export const targetOf = (method: DescMethod, request: Message): string =>
  fieldOf(request, callers[method.parent.typeName]?.[method.name]?.target);

/** Returns the id of what a call has created, as `targetOf`; empty if it creates nothing. */
export const createdOf = (method: DescMethod, response: object): string =>
  fieldOf(response, callers[method.parent.typeName]?.[method.name]?.created);

const fieldOf = (message: object, path = ''): string =>
  recordable(textAt(message, path)).slice(0, targetMax);

/** Fields that name the place of a page in a list, or say that it is read again. All other fields say what is read. */
const placeFields = [
  'afterId',
  'refresh',
  'afterOrderId',
  'beforeId',
  'cursor',
  'pageToken',
  'walk',
];

/**
 * Returns what a read reads, without the place and the size of its page, and whether the request
 * asks for a further page; null for a command. An hourly command is one of the hour's row.
 */
export const readOf = (method: DescMethod, request: Message, cell?: string): ReadPage | null => {
  const row = callers[method.parent.typeName]?.[method.name];
  if (method.idempotency !== Idempotency.NO_SIDE_EFFECTS)
    return row?.isHourly ? { read: '', isFurtherPage: true, isHourly: true } : null;
  const { pageSize, ...fields } = toJson(method.input, request) as Record<string, unknown>;
  // proto's JSON form omits an empty place
  const isFurtherPage = placeFields.some(
    (name) => fields[name] !== undefined && fields[name] !== '',
  );
  const isHourly = row?.isHourly === true && fields.refresh === true;
  for (const name of placeFields) delete fields[name];
  return { read: JSON.stringify({ ...fields, cell }), isFurtherPage, isHourly };
};

/**
 * Returns the text with secrets masked. Control characters and lone surrogates, which the database
 * would reject or replace, become U+FFFD.
 */
export const recordable = (text: string): string =>
  scrub(text.toWellFormed().replace(/\p{Cc}/gu, '\uFFFD'));
