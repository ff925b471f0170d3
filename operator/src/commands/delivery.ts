import { randomUUID } from 'node:crypto';
import { AttemptSchema, type Delivery, DeliverySchema } from '@pto/proto/webhooks/v1/webhooks';
import { Command, Option } from 'commander';
import { commandIdOption, withLimit } from '../arguments.ts';
import { everyPage, type OpenClients } from '../clients.ts';
import { members, print, printText } from '../output.ts';
import { sendCommand } from '../send-command.ts';

const shape = (delivery: Delivery | undefined) => ({
  ...members(DeliverySchema, delivery!),
  sequence: delivery!.sequence || null,
  attempts: delivery!.attempts.map((attempt) => members(AttemptSchema, attempt)),
});

export const deliveryCommands = (open: OpenClients): Command => {
  const delivery = new Command('delivery').description('webhook deliveries');
  withLimit(delivery.command('list'))
    .description("an endpoint's deliveries, newest first")
    .requiredOption('--endpoint <id>', 'where they go')
    .addOption(
      new Option('--state <state>', 'only these').choices(['PENDING', 'DELIVERED', 'EXHAUSTED']),
    )
    .action(async ({ endpoint, state, limit }, command) => {
      const filter = { endpointId: endpoint, state: state ?? '' };
      const all = await everyPage(
        (beforeId) => open().deliveries.listDeliveries({ ...filter, beforeId }),
        (page) => page.deliveries,
        limit,
      );
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
    .command('body <id>')
    .description('the body that each attempt sends, as it is signed')
    .action(async (id, _, command) => {
      const { body } = await open().deliveries.getDeliveryBody({ id });
      await printText(command, Buffer.from(body).toString());
    });
  delivery
    .command('replay <id>')
    .description('send it again, as a new delivery')
    .addOption(commandIdOption())
    .action(async (id, { commandId = randomUUID() }, command) => {
      const { delivery: replay } = await sendCommand({ commandId }, () =>
        open().deliveries.replayDelivery({ id, commandId }),
      );
      await print(command, shape(replay));
    });
  return delivery;
};

const line = (delivery: Delivery) => ({
  ...shape(delivery),
  attempts: delivery.attempts.length,
});
