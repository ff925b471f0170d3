import { type Environment, hashSecret, newApiKey, type OrderSide, orderSides } from '@pto/access';
import { clockTimestamp, type Database, execute, fragment, uuidv7 } from '@pto/database';
import { invalid } from '@pto/errors';
import { requireId, shown } from '../fields.ts';
import { tables } from '../schema/tables.ts';
import { linkUrl, parentOf, secondsFromNow } from './links.ts';

/** Bounds of the time from a link's creation to its end, in seconds: 5 min to 30 days. */
const [lastsMin, lastsMax] = [300, 30 * 86_400];
/** Number of links of one order at the same time. */
const linksMax = 50;

const columns = [
  'id',
  'side',
  'created_at',
  'expires_at',
  'views',
  'last_viewed_at',
  'parent_id',
] as const;

/** The order of a link, in one of the organization's cells. */
interface LinkedOrder {
  readonly organizationId: string;
  readonly orderId: string;
}

const requireSide = (side: string): OrderSide => {
  const known = orderSides.find((one) => one === side);
  if (known === undefined) throw invalid(['side'], `expected ${orderSides.join(' or ')}`, side);
  return known;
};

/**
 * Creates, lists and ends the links for one order (decision 86). A link's secret is a key that the
 * gateway permits to read what the link shows, and nothing else; so many people can open one link.
 * @param portalUrl URL at which browsers open the portal; empty: the installation has none.
 * @param changed called after the end of a link.
 */
export const orderLinks = (
  db: Database,
  environment: Environment,
  portalUrl: string,
  changed: () => void,
) => {
  const selectOpen = ({ organizationId, orderId }: LinkedOrder) =>
    tables
      .selectFrom('order_links')
      .select(columns)
      .where('organization_id', '=', requireId(organizationId, 'organization'))
      .where('order_id', '=', requireId(orderId, 'order'))
      .where('expires_at', '>', clockTimestamp)
      .orderBy('id');
  return {
    /** @throws Failure VALIDATION; NOT_FOUND for a key that has ended, or without a portal */
    createOrderLink: async (
      request: LinkedOrder & { side: string; lastsSeconds: number; keyId: string },
    ) => {
      const secret = newApiKey(environment);
      const url = linkUrl(portalUrl, '/o', secret);
      const side = requireSide(request.side);
      const lasts = request.lastsSeconds || lastsMax;
      if (lasts < lastsMin || lasts > lastsMax)
        throw invalid(['expires_in'], `expected ${lastsMin} to ${lastsMax} seconds`, lasts);
      const parent = await parentOf(db, request.organizationId, request.keyId);
      if ((await execute(db, selectOpen(request))).length >= linksMax)
        throw invalid(['side'], `an order has at most ${linksMax} links: end one first`);
      const [row] = await execute(
        db,
        tables
          .insertInto('order_links')
          .values({
            id: uuidv7(),
            organization_id: parent.organizationId,
            order_id: request.orderId,
            side,
            parent_id: parent.keyId,
            hash: hashSecret(secret),
            expires_at: secondsFromNow(lasts),
          })
          .returning(columns),
      );
      await execute(db, tables.deleteFrom('order_links').where('expires_at', '<', clockTimestamp));
      return { link: shown(row!), url };
    },
    listOrderLinks: async (order: LinkedOrder) => ({
      links: (await execute(db, selectOpen(order))).map(shown),
    }),
    /** Ends one link of an order, or all; one that has ended stays so. */
    endOrderLinks: async ({ organizationId, orderId, id }: LinkedOrder & { id: string }) => {
      await execute(
        db,
        tables
          .deleteFrom('order_links')
          .where('organization_id', '=', requireId(organizationId, 'organization'))
          .where('order_id', '=', requireId(orderId, 'order'))
          .$if(id !== '', (rows) => rows.where('id', '=', requireId(id, 'link'))),
      );
      changed();
      return {};
    },
    countOrderLinkView: async ({ id }: { id: string }) => {
      await execute(
        db,
        tables
          .updateTable('order_links')
          .set({ views: fragment<number>`views + 1`, last_viewed_at: clockTimestamp })
          .where('id', '=', requireId(id, 'link')),
      );
      return {};
    },
  };
};
