import { type PortalSession, PortalSessionSchema } from '@pto/proto/access/v1/portal';
import { Command } from 'commander';
import { commaList, seconds } from '../arguments.ts';
import { everyPage, type OpenClients } from '../clients.ts';
import { confirm, irreversible } from '../confirm.ts';
import { members, print, printSecret } from '../output.ts';

const shape = (session: PortalSession) => members(PortalSessionSchema, session);

export const portalCommands = (open: OpenClients): Command => {
  const portal = new Command('portal').description('links to the portal, and their sessions');
  portal
    .command('link')
    .description(
      'create a link for one person of an organization; this is the only time it is shown',
    )
    .requiredOption('--org <id>', 'whose orders and endpoints it shows')
    .option(
      '--scopes <list>',
      'orders:read,orders:write,webhooks:manage,keys:rotate, or some of them, keys:rotate with --key alone; all that are permitted but keys:rotate unless given',
      commaList,
    )
    .option('--key <id>', 'at most with the rights of this key, and only while it is valid')
    .option('--read-only', 'reading only, whatever the scopes')
    .option('--endpoint <id>', 'this endpoint of webhooks alone')
    .option(
      '--expires-in <duration>',
      'until the session ends, 5m to 12h; 1h unless given',
      seconds,
    )
    .action(async ({ org, key, scopes, readOnly, endpoint, expiresIn }, command) => {
      const { link, url } = await open().access.createPortalLink({
        organizationId: org,
        keyId: key ?? '',
        rights: {
          scopes: scopes ?? [],
          readOnly: readOnly ?? false,
          endpointId: endpoint ?? '',
          lastsSeconds: expiresIn ?? 3600,
        },
      });
      const { id, opens_until, expires_at, scopes: granted } = shape(link!);
      await printSecret(
        command,
        { id, url, opens_until, expires_at, scopes: granted },
        {
          what: `link ${id}`,
          revoke: () => open().access.endPortalSession({ id: link!.id }),
          next: 'Create another link.',
        },
      );
    });
  portal
    .command('list')
    .description("an organization's links and sessions that have not ended")
    .requiredOption('--org <id>', 'whose they are')
    .action(async ({ org }, command) => {
      const all = await everyPage(
        (afterId) => open().access.listPortalSessions({ organizationId: org, afterId }),
        (page) => page.sessions,
      );
      await print(command, all.map(shape));
    });
  irreversible(portal.command('end <id>'))
    .description('end a link and its session, within 5 s everywhere')
    .action(async (id, _, command) => {
      await confirm(command, `Portal session ${id} will be ended.`);
      await open().access.endPortalSession({ id });
      await print(command, { id, ended: true });
    });
  return portal;
};
