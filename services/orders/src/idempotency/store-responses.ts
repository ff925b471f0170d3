import {
  type ArrayOf,
  byteaArray,
  clockTimestamp,
  type Given,
  insertRows,
  statement,
  type Transaction,
  unnest,
  uuidv7Sql,
} from '@pto/database';
import { tables } from '../schema/tables.ts';
import { type IdempotencyScope, type Keys, keysOf, keyTypes } from './scope.ts';

const responseTypes = { ...keyTypes, body_sha256: 'bytea', answer: 'bytea' } as const;

const insertResponses = statement(
  (given: Given<Keys & { body_sha256: ArrayOf<Uint8Array>; answer: ArrayOf<Uint8Array> }>) =>
    insertRows(
      tables,
      'idempotency',
      tables.selectFrom(unnest('r', given, responseTypes)),
      ({ ref }) => ({
        id: uuidv7Sql(clockTimestamp),
        organization_id: ref('r.organization_id'),
        route: ref('r.route'),
        key: ref('r.key'),
        body_sha256: ref('r.body_sha256'),
        answer: ref('r.answer'),
      }),
    ),
);

/** Stores responses under the keys that this transaction has claimed. */
export const storeResponses = async (
  tx: Transaction,
  responses: readonly { readonly scope: IdempotencyScope; readonly body: Uint8Array }[],
): Promise<void> => {
  if (responses.length === 0) return;
  await insertResponses(tx.pipelined, {
    ...keysOf(responses.map(({ scope }) => scope)),
    body_sha256: byteaArray(responses.map(({ scope }) => scope.idempotency.bodySha256)),
    answer: byteaArray(responses.map(({ body }) => body)),
  });
};
