import { type Database, execute } from '@pto/database';
import type { CommandMetadata, ErasedFields } from '../domain/order.ts';
import { getOrder, type OrderKey } from '../reading/get-order.ts';
import { tables } from '../schema/tables.ts';
import { applyWithin, type CommandDeps } from './apply-command.ts';
import { expirePersonalArtifacts } from './artifacts.ts';
import { type CommandId, type CommandResult, forgetCommands, runOnce } from './command-log.ts';

/** A personal field of a custody entry whose value was erased. */
export interface ErasedField {
  /** The entry's number, from 1. */
  readonly sequence: number;
  readonly field: string;
}

/**
 * Erases values of personal fields of a CLOSED or CANCELLED order and appends an entry that names
 * the erased fields (decision 70), in one transaction. Without names of fields, the files of its
 * handovers are erased, too. Without a value to erase nothing changes, so a repetition has no further
 * effect.
 * @param fields names of personal fields; empty: all of them.
 * @param id the sender's id of the command; null: none.
 * @throws Failure NOT_FOUND; ILLEGAL_TRANSITION for an order in another status that has a value to
 *   erase.
 */
export const erasePersonalData = (
  deps: CommandDeps & { readonly db: Database },
  order: OrderKey,
  fields: readonly string[],
  metadata: CommandMetadata,
  id: CommandId | null,
): Promise<CommandResult<readonly ErasedField[]>> =>
  runOnce(deps, order, id, (transact) =>
    transact(async (tx) => {
      const deletion = tables
        .deleteFrom('disclosures')
        .where('organization_id', '=', order.organizationId)
        .where('order_id', '=', order.orderId)
        .$if(fields.length > 0, (rows) => rows.where('field', 'in', fields))
        .returning(['sequence', 'field']);
      const rows = await execute(tx, deletion);
      if (fields.length === 0) await expirePersonalArtifacts(tx, order);
      await forgetCommands(tx, order, id);
      const erased = rows.sort((a, b) => a.sequence - b.sequence || (a.field < b.field ? -1 : 1));
      if (erased.length === 0)
        return { stored: await getOrder({ ...deps, sql: tx }, order), outcome: erased };
      const command = { name: 'erase', erased: byField(erased) } as const;
      return { stored: await applyWithin(tx, deps, order, command, metadata), outcome: erased };
    }),
  );

const byField = (erased: readonly ErasedField[]): ErasedFields =>
  Object.fromEntries(
    [...Map.groupBy(erased, ({ field }) => field)].map(([field, rows]) => [
      field,
      rows.map(({ sequence }) => sequence),
    ]),
  );
