import { execute, fragment, type Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import { tables } from '../schema/entities.ts';

/** A replay, by the id that its sender gave it. */
export interface NamedReplay {
  readonly organizationId: string;
  /** A UUID. */
  readonly commandId: string;
  /** The delivery that is replayed. */
  readonly replayedId: string;
  /** The new delivery. */
  readonly deliveryId: string;
}

/** Names of a day are stored; one statement removes so many older ones. */
const removedMax = 100;

/**
 * Stores the name of a replay, in the transaction that queues its delivery. Removes expired names.
 * Waits for the end of a transaction that has stored the name.
 * @returns null; or the delivery that an earlier replay with this name has queued.
 * @throws Failure IDEMPOTENCY_KEY_REUSED if the name belongs to a replay of another delivery.
 */
export const nameReplay = async (
  tx: Transaction,
  { organizationId, commandId, replayedId, deliveryId }: NamedReplay,
): Promise<string | null> => {
  const insert = tables
    .insertInto('named_replays')
    .values({
      organization_id: organizationId,
      command_id: commandId,
      replayed_id: replayedId,
      delivery_id: deliveryId,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'command_id']).doNothing())
    .returning('command_id');
  const isNew = (await execute(tx, insert)).length > 0;
  if (isNew) {
    await execute(tx, removal());
    return null;
  }
  const [earlier] = await execute(
    tx,
    tables
      .selectFrom('named_replays')
      .select(['replayed_id', 'delivery_id'])
      .where('organization_id', '=', organizationId)
      .where('command_id', '=', commandId),
  );
  if (earlier?.replayed_id !== replayedId)
    throw new Failure(
      'IDEMPOTENCY_KEY_REUSED',
      'This command id was used before for another delivery.',
    );
  return earlier.delivery_id;
};

const removal = () =>
  tables
    .deleteFrom('named_replays')
    .where(({ eb, refTuple }) =>
      eb(
        refTuple('organization_id', 'command_id'),
        'in',
        expired.$asTuple('organization_id', 'command_id'),
      ),
    );

const expired = tables
  .selectFrom('named_replays')
  .select(['organization_id', 'command_id'])
  .where('created_at', '<', fragment<string>`statement_timestamp() - interval '24 hours'`)
  .orderBy('created_at')
  .limit(removedMax)
  .forUpdate()
  .skipLocked();
