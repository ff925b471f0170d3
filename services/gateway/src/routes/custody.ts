import { entryJson, proofJson } from '@pto/representation';
import type { Backends } from '../backends.ts';
import { json } from '../http/respond.ts';
import { custodyEntry, custodyProof, orderCustody } from '../resources/custody.ts';
import { orderPath } from '../resources/orders.ts';
import { list } from '../validation/schema.ts';
import { historyOf, type OrderRequest } from './history.ts';
import { route } from './route.ts';
import { isProofTampered, withTamperedEntry } from './sandbox-runs.ts';

/** The operations on an order's custody: its history, the head of its chain, its proof file. */
export const custodyRoutes = ({
  orders,
  custody,
  courier,
}: Pick<Backends, 'orders' | 'custody' | 'courier'>) => {
  const prove = (request: OrderRequest, whole: boolean) =>
    historyOf(orders, request, (order) => custody.getProof({ ...order, whole }, request.read));
  const shared = {
    method: 'GET',
    scope: 'orders:read',
    schemas: { path: orderPath },
  } as const;
  return [
    route({
      ...shared,
      name: 'listOrderEvents',
      path: '/orders/:order_id/events',
      lane: 'rows',
      response: list(custodyEntry),
      summary: "List an order's custody history",
      description:
        'Oldest entry first. The entries form a hash chain that you can recompute. After the response to a command the list contains the entry of that command.',
      handle: async (request) => {
        const { history, disclosed } = await historyOf(orders, request, async (order) =>
          order.atLeastSequence === 0 ? { entries: [] } : custody.listEvents(order, request.read),
        );
        return json(history.entries.map((entry) => entryJson(entry, disclosed)));
      },
    }),
    route({
      ...shared,
      name: 'getOrderCustody',
      path: '/orders/:order_id/custody',
      response: orderCustody,
      summary: "Get the state of an order's custody chain",
      description:
        'The number of entries, the hash of the last entry, and the newest signed checkpoint that covers it. Store the response: a history that is rewritten later contradicts it. The log is public, without a key, at `/custody/checkpoint`, `/custody/tile/…` and `/custody/keys.json` (C2SP tlog-tiles).',
      handle: async (request) => {
        const { count, headHash, log } = (await prove(request, false)).history;
        return json({
          order_id: request.path.order_id,
          count,
          head_hash: headHash,
          checkpoint: log
            ? {
                origin: log.origin,
                leaf_index: Number(log.leafIndex),
                tree_size: Number(log.treeSize),
                signed_at: log.signedAt,
                note: log.checkpoint,
              }
            : null,
        });
      },
    }),
    route({
      ...shared,
      name: 'getOrderCustodyProof',
      path: '/orders/:order_id/custody/proof',
      lane: 'rows',
      response: custodyProof,
      summary: 'Get a custody proof',
      description:
        'One file for offline verification: the entries, the inclusion proof of the last entry under a signed checkpoint, the completeness proof from the signed order index, and the public keys.',
      handle: async (request) => {
        const { organizationId, path, read } = request;
        const { history, disclosed } = await prove(request, true);
        const file = proofJson(path.order_id, history, disclosed);
        const isTampered = await isProofTampered(courier, organizationId, path.order_id, read);
        return json(isTampered ? withTamperedEntry(file) : file);
      },
    }),
  ];
};
