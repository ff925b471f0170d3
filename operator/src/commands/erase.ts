import { Command } from 'commander';
import { collect, commandMetadata } from '../arguments.ts';
import type { OpenClients } from '../clients.ts';
import { confirm, irreversible } from '../confirm.ts';
import { orderIdOf } from '../order-reference.ts';
import { print } from '../output.ts';
import { sendCommand } from '../send-command.ts';

export const eraseCommand = (open: OpenClients): Command =>
  irreversible(new Command('erase'))
    .description(
      'erase personal data from the custody history of a CLOSED or CANCELLED order; its proofs stay valid',
    )
    .requiredOption('--order <id>', 'the order')
    .option('--field <name>', 'only this field, such as driver (repeatable)', collect)
    .requiredOption('--reason <text>', 'why, without personal data; kept in the audit log')
    .action(async ({ order: reference, field: fields = [], reason }, command) => {
      const id = await orderIdOf(open, reference);
      const what =
        fields.length === 0 ? 'All personal data' : `The personal data ${fields.join(', ')}`;
      await confirm(command, `${what} of order ${id} will be erased.`);
      const circumstances = commandMetadata(id, {});
      const request = { circumstances, fields, reason };
      const { order, erased } = await sendCommand(
        circumstances,
        () => open().orders.erasePersonalData(request),
        'Erase again: what was erased is not listed then.',
      );
      await print(command, {
        order_id: id,
        status: order?.status,
        erased: erased.map(({ entry, field }) => ({ entry, field })),
      });
    });
