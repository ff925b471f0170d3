import { type Token, TokenSchema } from '@pto/proto/operators/v1/operators';
import { Command } from 'commander';
import { collect, seconds } from '../arguments.ts';
import { everyPage, type OpenClients } from '../clients.ts';
import { confirm, irreversible } from '../confirm.ts';
import { members, print, printSecret } from '../output.ts';
import { recordIdOf } from '../record-reference.ts';

const shape = (token: Token | undefined) => members(TokenSchema, token!);

export const tokenCommands = (open: OpenClients): Command => {
  const token = new Command('token').description("operators' personal tokens");
  token
    .command('issue')
    .description('issue a token; this is the only time that it is shown')
    .requiredOption('--name <name>', 'whose it is')
    .requiredOption(
      '--role <role>',
      'support, dispatcher, admin or auditor (repeatable), or carrier',
      collect,
    )
    .option('--carrier <name or id>', 'of the role carrier')
    .requiredOption('--expires-in <duration>', 'such as 8h or 90d; at most 366d', seconds)
    .action(async ({ name, role, expiresIn, carrier }, command) => {
      const clients = open();
      const request = {
        ...{ name, roles: role, expiresInSeconds: BigInt(expiresIn) },
        ...(carrier && { carrierId: await recordIdOf(open, 'carrier', carrier) }),
      };
      const response = await clients.operators.issueToken(request);
      const { id, expires_at, roles } = shape(response.token);
      await printSecret(
        command,
        { id, name, roles, token: response.secret, expires_at },
        {
          what: `token ${id}`,
          revoke: () => open().operators.revokeToken({ id: response.token!.id }),
          next: 'Issue another token.',
        },
      );
    });
  token
    .command('list')
    .description('all tokens, without the tokens themselves')
    .action(async (_, command) => {
      const all = await everyPage(
        (afterId) => open().operators.listTokens({ afterId }),
        (page) => page.tokens,
      );
      await print(command, all.map(shape));
    });
  irreversible(token.command('revoke <id>'))
    .description('end a token, from the next request on')
    .action(async (id, _, command) => {
      await confirm(command, `Token ${id} will be revoked.`);
      await print(command, shape((await open().operators.revokeToken({ id })).token));
    });
  return token;
};
