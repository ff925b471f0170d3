import { printedLines, writeLines } from '@pto/terminal';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { type Context, isJson } from '../context.ts';
import { advance, advancedStatuses } from '../sandbox.ts';

/** The event of each status to which an order is advanced. */
const eventOf = (status: string): string => `order.${status.toLowerCase()}`;
const names = advancedStatuses.map(eventOf);

const statusOf = (event: string): string => {
  const status = advancedStatuses.find((one) => eventOf(one) === event);
  if (!status) throw new InvalidArgumentError(`expected one of ${names.join(', ')}`);
  return status;
};

/** `pto trigger`: makes an event happen in the sandbox, to a new order by default. */
export const triggerCommand = ({ client, credential }: Context): Command =>
  new Command('trigger')
    .description('make an event happen in the sandbox: advances an order until it has come')
    .addArgument(new Argument('<event>', 'such as order.sealed').choices(names).argParser(statusOf))
    .option('--order <id>', 'the order; a new one by default')
    .action(async (status: string, { order }: { order?: string }, command: Command) => {
      const id = order ?? (await client().orders.create(sample)).id;
      const { external_id, status: now } = await advance(credential(), id, status);
      const shown = { id, external_id, status: now, event: eventOf(status) };
      await writeLines('stdout', printedLines(shown, { json: isJson(command) }));
    });

/** An order of the sandbox. */
const sample = {
  pickup: { address_text: 'Charitéplatz 1, 10117 Berlin' },
  dropoff: { address_text: 'Marienplatz 1, 80331 München' },
  pickup_window_start: '2030-01-01T08:00:00Z',
  items: [{ goods_type: 'blood' }],
};
