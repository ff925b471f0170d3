import { Command } from 'commander';
import { collect, commandMetadata } from '../arguments.ts';
import type { OpenClients } from '../clients.ts';
import { print } from '../output.ts';

export const eraseCommand = (open: OpenClients): Command =>
  new Command('erase')
    .description(
      'erase personal data from the custody history of a CLOSED or CANCELLED order; its proofs stay valid',
    )
    .requiredOption('--order <id>', 'the order')
    .option('--field <name>', 'only this field, such as driver (repeatable)', collect)
    .requiredOption('--reason <text>', 'why, without personal data; kept in the audit log')
    .action(async ({ order: id, field: fields = [], reason }, command) => {
      const circumstances = commandMetadata(id, {});
      const { order, erased } = await open().orders.erasePersonalData({
        circumstances,
        fields,
        reason,
      });
      await print(command, {
        order_id: id,
        status: order?.status,
        erased: erased.map(({ entry, field }) => ({ entry, field })),
      });
    });
