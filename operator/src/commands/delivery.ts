import type { Delivery } from '@pto/proto/webhooks/v1/webhooks';
import { Command, Option } from 'commander';
import type { Clients, OpenClients } from '../clients.ts';
import { everyPage } from '../every-page.ts';
import { orNull, print } from '../output.ts';

const shape = (delivery: Delivery | undefined) =>
  delivery === undefined
    ? {}
    : {
        id: delivery.id,
        endpoint_id: delivery.endpointId,
        order_id: delivery.orderId,
        event: delivery.event,
        sequence: delivery.sequence || null,
        state: delivery.state,
        reason: orNull(delivery.reason),
        replay_of: orNull(delivery.replayOf),
        created_at: delivery.createdAt,
        due_at: orNull(delivery.dueAt),
        attempts: delivery.attempts.map((attempt) => ({
          at: attempt.at,
          status_code: attempt.statusCode ?? null,
          error: orNull(attempt.error),
          duration_ms: attempt.durationMs,
        })),
      };

export const deliveryCommands = (open: OpenClients): Command => {
  const delivery = new Command('delivery').description('webhook deliveries');
  delivery
    .command('list')
    .description("an endpoint's deliveries, newest first")
    .requiredOption('--endpoint <id>', 'where they go')
    .addOption(
      new Option('--state <state>', 'only these').choices(['PENDING', 'DELIVERED', 'EXHAUSTED']),
    )
    .action(async ({ endpoint, state }, command) => {
      const all = await everyDelivery(open().deliveries, endpoint, state ?? '');
      const { json } = command.optsWithGlobals();
      await print(command, json ? all.map(shape) : all.map(line));
    });
  delivery
    .command('show <id>')
    .description('one delivery with its attempts')
    .action(async (id, _, command) => {
      await print(command, shape((await open().deliveries.getDelivery({ id })).delivery));
    });
  delivery
    .command('replay <id>')
    .description('send it again, as a new delivery')
    .action(async (id, _, command) => {
      await print(command, shape((await open().deliveries.replayDelivery({ id })).delivery));
    });
  return delivery;
};

const line = (delivery: Delivery) => {
  const { attempts, ...rest } = shape(delivery) as { attempts?: readonly unknown[] };
  return { ...rest, attempts: attempts?.length };
};

const everyDelivery = (
  deliveries: Clients['deliveries'],
  endpointId: string,
  state: string,
): Promise<Delivery[]> =>
  everyPage(async (beforeId) => {
    const page = await deliveries.listDeliveries({ endpointId, state, beforeId });
    return { items: page.deliveries, next: page.nextId };
  });
