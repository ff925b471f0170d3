import { type OrderCommand, recordInPlaceOf, statusPath } from '@pto/proto/order-commands';
import { type FoundOrder, FoundOrderSchema } from '@pto/proto/orders/v1/commands';
import { Command, Option } from 'commander';
import { collect, commandMetadata, count, pauseMs, withLimit, withMetadata } from '../arguments.ts';
import { everyPage, type OpenClients } from '../clients.ts';
import { confirm, irreversible } from '../confirm.ts';
import { orderIdOf } from '../order-reference.ts';
import { orderShape, violationShape } from '../order-shape.ts';
import { members, print } from '../output.ts';
import { addCondition, addFile, addHandover, addUnlock } from './evidence.ts';
import { addEta } from './order-eta.ts';
import { addLinks } from './order-links.ts';
import { steps, takeStep, walk } from './order-steps.ts';
import { addTimeline } from './order-timeline.ts';

const foundShape = (order: FoundOrder) => members(FoundOrderSchema, order);
const columns = ['id', 'external_id', 'status', 'sla', 'created_at', 'updated_at'];

export const orderCommands = (open: OpenClients): Command => {
  const order = new Command('order').description("an order's life, by its id or external_id");
  order
    .command('find <external_id>')
    .description("orders of all organizations with a partner's reference")
    .action(async (externalId, _, command) => {
      const { orders } = await open().orders.findOrders({ externalId });
      await print(command, orders.map(foundShape));
    });
  order
    .command('show <id>')
    .description('one order')
    .action(async (id, _, command) => {
      const { order, violations, disclosures } = await open().orders.showOrder({
        orderId: await orderIdOf(open, id),
      });
      await print(command, {
        ...orderShape(order),
        disclosed: disclosures.map(({ entry, field, valueJson }) => ({
          entry,
          field,
          value: JSON.parse(valueJson),
        })),
        custody_violations: violations.map(violationShape),
      });
    });
  withLimit(order.command('list'))
    .description("an organization's orders, newest first")
    .requiredOption('--org <id>', 'whose they are')
    .action(async ({ org, limit }, command) => {
      const all = await everyPage(
        (cursor) =>
          open().orders.listOrganizationOrders({ organizationId: org, ...(cursor && { cursor }) }),
        (page) => page.orders,
        limit,
      );
      await print(command, all.map(orderShape), columns);
    });
  for (const step of steps) addStep(order, step, open);
  addEta(order, open);
  addHandover(order, open);
  addUnlock(order, open);
  addCondition(order, open);
  addFile(order, open);
  addTimeline(order, open);
  addLinks(order, open);
  order
    .command('walk <id>')
    .description('take it step by step to a status')
    .addOption(new Option('--to <status>').choices(statusPath).default('CLOSED'))
    .option('--pause <duration>', 'between two steps', pauseMs, 0)
    .action(async (id, { to, pause }, command) => {
      await print(
        command,
        orderShape(await walk(open().orders, await orderIdOf(open, id), to, pause)),
      );
    });
  return order;
};

const addStep = (order: Command, step: OrderCommand, open: OpenClients): void => {
  const command = order.command(`${step.call!.word} <id>`).description(step.does!);
  const { fields = [] } = step;
  for (const { name, flag, says, kind, isOptional, choices } of fields) {
    if (choices) command.addOption(new Option(flag, says).choices(choices));
    else if (kind === 'entry') command.requiredOption(flag, says, count);
    else if (isOptional || recordInPlaceOf(fields, name)) command.option(flag, says);
    else if (kind === 'lines') command.requiredOption(flag, says, collect);
    else command.requiredOption(flag, says);
  }
  if (step.asks) irreversible(command);
  withMetadata(command).action(async (reference, flags, self) => {
    const usage = commandMetadata(reference, flags);
    const id = await orderIdOf(open, reference);
    const metadata = { ...usage, orderId: id };
    if (step.asks) await confirm(self, step.asks.replace('ORDER', id));
    await print(self, orderShape(await takeStep(open, step, metadata, flags)));
  });
};
