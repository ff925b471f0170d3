import { type Operator, OperatorSchema } from '@pto/proto/operators/v1/operators';
import { Command } from 'commander';
import { everyPage, type OpenClients } from '../clients.ts';
import { members, print } from '../output.ts';

const shape = (operator: Operator | undefined) => members(OperatorSchema, operator!);

export const operatorCommands = (open: OpenClients): Command => {
  const operator = new Command('operator').description(
    'people who signed in with the OpenID provider',
  );
  operator
    .command('list')
    .description('all people, with the roles of their last sign-in')
    .action(async (_, command) => {
      const all = await everyPage(
        (afterId) => open().operators.listOperators({ afterId }),
        (page) => page.operators,
      );
      await print(command, all.map(shape));
    });
  for (const [verb, rpc, does] of [
    ['block', 'blockOperator', 'reject a person from the next request on'],
    ['unblock', 'unblockOperator', 'let a person sign in again'],
  ] as const)
    operator
      .command(`${verb} <id>`)
      .description(does)
      .action(async (id, _, command) => {
        await print(command, shape((await open().operators[rpc]({ id })).operator));
      });
  return operator;
};
