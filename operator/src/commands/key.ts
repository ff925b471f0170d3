import { type Key, KeySchema } from '@pto/proto/access/v1/access';
import { Command } from 'commander';
import { commaList, count, seconds } from '../arguments.ts';
import type { OpenClients } from '../clients.ts';
import { confirm, irreversible } from '../confirm.ts';
import { members, orNull, print, printSecret } from '../output.ts';

const shape = (key: Key) => ({
  ...members(KeySchema, key),
  allowed_cidrs: key.allowedCidrs.length > 0 ? key.allowedCidrs : null,
  reads_per_minute: key.readsPerMinute || null,
  writes_per_minute: key.writesPerMinute || null,
});

/** Returns an issued key with its secret. Only this response has the secret. */
const issued = (key: Key, secret: string) => ({
  id: key.id,
  name: orNull(key.name),
  key: secret,
  last4: key.last4,
  scopes: key.scopes,
  allowed_cidrs: shape(key).allowed_cidrs,
  expires_at: orNull(key.expiresAt),
});

const revocable = (open: OpenClients, { id }: Key) => ({
  what: `key ${id}`,
  revoke: () => open().access.revokeKey({ id }),
});

export const keyCommands = (open: OpenClients): Command => {
  const key = new Command('key').description('API keys');
  key
    .command('issue')
    .description('make a key; this is the only time that it is seen')
    .requiredOption('--org <id>', 'whose it is')
    .requiredOption(
      '--scopes <list>',
      'orders:read,orders:write,webhooks:manage,keys:rotate, or some of them',
      commaList,
    )
    .option('--expires-in <duration>', 'such as 30d; never, unless told', seconds)
    .option('--name <text>', 'what it is for, 1 to 100 characters')
    .option('--cidr <list>', 'client addresses that may use it; any, unless given', commaList)
    .option('--reads <n>', 'reads per minute', count)
    .option('--writes <n>', 'writes per minute', count)
    .action(async (options, command) => {
      const response = await open().access.issueKey({
        organizationId: options.org,
        scopes: options.scopes,
        expiresInSeconds: BigInt(options.expiresIn ?? 0),
        readsPerMinute: options.reads ?? 0,
        writesPerMinute: options.writes ?? 0,
        name: options.name ?? '',
        allowedCidrs: options.cidr ?? [],
      });
      await printSecret(command, issued(response.key!, response.secret), {
        ...revocable(open, response.key!),
        next: 'Issue another key.',
      });
    });
  key
    .command('list')
    .description("an organization's keys, without the keys themselves")
    .requiredOption('--org <id>', 'whose they are')
    .action(async ({ org }, command) => {
      const { keys } = await open().access.listKeys({ organizationId: org });
      await print(command, keys.map(shape));
    });
  irreversible(key.command('revoke <id>'))
    .description('end a key, within 5 s everywhere')
    .action(async (id, _, command) => {
      await confirm(command, `Key ${id} will be revoked.`);
      await print(command, shape((await open().access.revokeKey({ id })).key!));
    });
  key
    .command('rotate <id>')
    .description('a new key with the same scopes; the old one ends after the overlap')
    .option('--overlap <duration>', '0s to 7d; 24h unless told', seconds)
    .action(async (id, { overlap }, command) => {
      const request = { id, ...(overlap !== undefined && { overlapSeconds: overlap }) };
      const response = await open().access.rotateKey(request);
      const replaced = {
        id: response.replaced?.id,
        expires_at: orNull(response.replaced?.expiresAt ?? ''),
      };
      const shown = { ...issued(response.key!, response.secret), replaced };
      await printSecret(command, shown, {
        ...revocable(open, response.key!),
        next: `Key ${replaced.id} ends at ${replaced.expires_at}: issue another key before.`,
      });
    });
  key
    .command('cidrs <id>')
    .description('set the client addresses that may use a key, within 5 s everywhere')
    .requiredOption('--set <list>', 'such as 192.0.2.0/24,2001:db8::/48; "" for any', commaList)
    .action(async (id, { set }, command) => {
      const response = await open().access.setKeyAllowedCidrs({ id, allowedCidrs: set });
      await print(command, shape(response.key!));
    });
  key
    .command('limits <id>')
    .description("set a key's own limits; 0 gives it the gateway's again")
    .option('--reads <n>', 'reads per minute', count)
    .option('--writes <n>', 'writes per minute', count)
    .action(async (id, { reads, writes }, command) => {
      const response = await open().access.setKeyLimits({
        id,
        ...(reads !== undefined && { readsPerMinute: reads }),
        ...(writes !== undefined && { writesPerMinute: writes }),
      });
      await print(command, shape(response.key!));
    });
  return key;
};
