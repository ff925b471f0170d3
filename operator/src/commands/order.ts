import type { Order } from '@pto/proto/orders/v1/orders';
import { Command, Option } from 'commander';
import { collect, commandMetadata, pauseMs, withMetadata } from '../arguments.ts';
import { everyPage, type OpenClients } from '../clients.ts';
import { orderShape, violationShape } from '../order-shape.ts';
import { print } from '../output.ts';
import { addCondition, addHandover } from './evidence.ts';
import { lineOfLife, type Orders, type Step, steps, takeStep, walk } from './order-steps.ts';

const columns = ['id', 'external_id', 'status', 'sla', 'created_at', 'updated_at'];

export const orderCommands = (open: OpenClients): Command => {
  const order = new Command('order').description("an order's life");
  order
    .command('show <id>')
    .description('one order')
    .action(async (id, _, command) => {
      const { order, violations, disclosures } = await open().orders.showOrder({ orderId: id });
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
  order
    .command('list')
    .description("an organization's orders, newest first")
    .requiredOption('--org <id>', 'whose they are')
    .action(async ({ org }, command) => {
      const all = await everyOrder(open().orders, org);
      await print(command, all.map(orderShape), columns);
    });
  for (const step of steps) addStep(order, step, open);
  addHandover(order, open);
  addCondition(order, open);
  order
    .command('walk <id>')
    .description('take it step by step to a status')
    .addOption(new Option('--to <status>').choices(lineOfLife).default('CLOSED'))
    .option('--pause <duration>', 'between two steps', pauseMs, 0)
    .action(async (id, { to, pause }, command) => {
      await print(command, orderShape(await walk(open().orders, id, to, pause)));
    });
  return order;
};

const addStep = (order: Command, step: Step, open: OpenClients): void => {
  const command = order.command(`${step.word} <id>`).description(step.does);
  for (const [flag, says] of step.flags ?? []) {
    if (step.kind === 'optional') command.option(flag, says);
    else if (step.kind === 'repeatable') command.requiredOption(flag, says, collect);
    else command.requiredOption(flag, says);
  }
  withMetadata(command).action(async (id, flags, self) => {
    const metadata = commandMetadata(id, flags);
    await print(self, orderShape(await takeStep(open().orders, step, metadata, flags)));
  });
};

const everyOrder = (orders: Orders, organizationId: string): Promise<Order[]> =>
  everyPage(
    (cursor) => orders.listOrganizationOrders({ organizationId, ...(cursor && { cursor }) }),
    (page) => page.orders,
  );
