import { printedLines, writeLines } from '@pto/terminal';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { type Context, isJson } from '../context.ts';
import { sampleOrder } from '../sample-order.ts';
import { type AdvancedStatus, advancedStatuses } from '../statuses.ts';

/** The event of each status to which an order is advanced. */
const eventOf = (status: AdvancedStatus): string => `order.${status.toLowerCase()}`;
const names = advancedStatuses.map(eventOf);

const statusOf = (event: string): AdvancedStatus => {
  const status = advancedStatuses.find((one) => eventOf(one) === event);
  if (!status) throw new InvalidArgumentError(`expected one of ${names.join(', ')}`);
  return status;
};

/** `pto trigger`: makes an event happen in the sandbox, to a new order by default. */
export const triggerCommand = ({ client }: Context): Command =>
  new Command('trigger')
    .description('make an event happen in the sandbox: advances an order until it has come')
    .addArgument(new Argument('<event>', 'such as order.sealed').choices(names).argParser(statusOf))
    .option('--order <id>', 'the order; a new one by default')
    .action(async (status: AdvancedStatus, { order }: { order?: string }, command: Command) => {
      const id = order ?? (await client().orders.create(sampleOrder)).id;
      const { external_id, status: now } = await client().sandbox.advance(id, { to: status });
      const shown = { id, external_id, status: now, event: eventOf(status) };
      await writeLines('stdout', printedLines(shown, { json: isJson(command) }));
    });
