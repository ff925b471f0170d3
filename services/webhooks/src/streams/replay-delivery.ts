import { type Database, execute, fragment, type Transaction, uuidv7 } from '@pto/database';
import { Failure } from '@pto/errors';
import { type DeliveryKey, getDelivery, noSuchDelivery } from '../deliveries/get-delivery.ts';
import { lockOpenEndpoint } from '../endpoints/find-endpoint.ts';
import { enqueue } from '../queue/enqueue.ts';
import { tables } from '../schema/entities.ts';

/**
 * Queues a delivery's payload again as a new delivery, with the same number in the stream. The new
 * delivery waits for queued deliveries of its order that were not tried yet, and until its endpoint
 * is ENABLED. The replayed delivery stays unchanged.
 * @param commandId the sender's id of the replay: a repetition returns the delivery that the first has
 *   queued. null: each call queues a delivery.
 * @throws Failure NOT_FOUND if the delivery or its endpoint does not exist, ILLEGAL_TRANSITION if
 *   the endpoint is disabled, IDEMPOTENCY_KEY_REUSED.
 */
export const replayDelivery = async (
  db: Database,
  key: DeliveryKey,
  commandId: string | null = null,
) => {
  const { organizationId } = key;
  const { id: replayed } = await getDelivery(db, key);
  const id = await db.transaction(async (tx) => {
    const deliveryId = uuidv7();
    const named = commandId && { organizationId, commandId, replayedId: replayed!, deliveryId };
    const earlier = named && (await nameReplay(tx, named));
    if (earlier) return earlier;
    const [old] = await execute(
      tx,
      tables
        .selectFrom('deliveries')
        .select([
          'endpoint_id as endpointId',
          'order_id as orderId',
          'event_id as eventId',
          'event',
          'payload',
          'sequence',
        ])
        .where('organization_id', '=', organizationId)
        .where('id', '=', replayed),
    );
    if (!old) throw noSuchDelivery();
    const { generation } = await lockOpenEndpoint(tx, { organizationId, id: old.endpointId });
    const sequence = Number(old.sequence);
    const replay = {
      ...old,
      organizationId,
      id: deliveryId,
      sequence,
      replayOf: replayed!,
      generation,
    };
    await enqueue(tx, [replay]);
    return deliveryId;
  });
  return getDelivery(db, { organizationId, id });
};

/** A replay, by the id that its sender gave it. */
interface NamedReplay {
  readonly organizationId: string;
  /** A UUID. */
  readonly commandId: string;
  /** The delivery that is replayed. */
  readonly replayedId: string;
  /** The new delivery. */
  readonly deliveryId: string;
}

/** Names are stored for a day. */
const firstKept = fragment<string>`statement_timestamp() - interval '24 hours'`;

/**
 * Stores the name of a replay, in the transaction that queues its delivery, and deletes the
 * organization's expired names. Waits for the end of a transaction that has stored the name.
 * @returns null; or the delivery that an earlier replay with this name has queued.
 * @throws Failure IDEMPOTENCY_KEY_REUSED if the name belongs to a replay of another delivery.
 */
const nameReplay = async (
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
    const ofOrganization = tables
      .deleteFrom('named_replays')
      .where('organization_id', '=', organizationId);
    await execute(tx, ofOrganization.where('created_at', '<', firstKept));
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
