import { type OrderLink, OrderLinkSchema } from '@pto/proto/access/v1/order_links';
import type { Command } from 'commander';
import { seconds, sideOption } from '../arguments.ts';
import type { OpenClients } from '../clients.ts';
import { confirm, irreversible } from '../confirm.ts';
import { orderIdOf } from '../order-reference.ts';
import { members, print, printSecret } from '../output.ts';

const shape = (link: OrderLink) => members(OrderLinkSchema, link);

/** Adds the commands for the links that show one order to a ward (decision 86). */
export const addLinks = (order: Command, open: OpenClients): void => {
  const linked = async (reference: string) => {
    const orderId = await orderIdOf(open, reference);
    const { order: found } = await open().orders.showOrder({ orderId });
    return { organizationId: found!.organizationId, orderId };
  };
  order
    .command('link <id>')
    .description('create a link that shows it for one side; this is the only time it is shown')
    .addOption(sideOption('--side <side>', 'whose place and access note it shows'))
    .option(
      '--expires-in <duration>',
      'until the link ends, 5m to 30d; 30d unless given, and 24h after the order ends',
      seconds,
    )
    .action(async (reference, { side, expiresIn }, command) => {
      const of = await linked(reference);
      const { link, url } = await open().orderLinks.createOrderLink({
        ...of,
        ...{ side, lastsSeconds: expiresIn ?? 0 },
      });
      const { id, expires_at } = shape(link!);
      await printSecret(
        command,
        { id, url, side, expires_at },
        {
          what: `link ${id}`,
          revoke: () => open().orderLinks.endOrderLinks({ ...of, id: link!.id }),
          next: 'Create another link.',
        },
      );
    });
  order
    .command('links <id>')
    .description('its links that have not ended, and how often each was opened')
    .action(async (reference, _, command) => {
      const { links } = await open().orderLinks.listOrderLinks(await linked(reference));
      await print(command, links.map(shape));
    });
  irreversible(order.command('end-links <id>'))
    .description('end its links, within 5 s everywhere')
    .option('--link <link>', 'this link alone', '')
    .action(async (reference, { link }, command) => {
      const of = await linked(reference);
      const what = link === '' ? 'All links' : `Link ${link}`;
      await confirm(command, `${what} of order ${of.orderId} will be ended.`);
      await open().orderLinks.endOrderLinks({ ...of, id: link });
      await print(command, { id: of.orderId, ended: link || 'all' });
    });
};
