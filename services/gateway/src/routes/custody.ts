import type { Completeness, Entry, GetProofResponse } from '@pto/proto/custody/v1/custody';
import type { Backends } from '../backends.ts';
import { json } from '../http/respond.ts';
import { custodyEntry, custodyProof, orderCustody } from '../resources/custody.ts';
import { orderPath } from '../resources/orders.ts';
import { list } from '../validation/schema.ts';
import { type PartnerRequest, route } from './route.ts';

type OrderRequest = Pick<
  PartnerRequest<{ order_id: string }, unknown, unknown>,
  'organizationId' | 'path' | 'read'
>;

/**
 * Returns what custody needs to read an order's history: orders supplies the number of events, and
 * custody waits up to 2 s for that many entries, so that a read after a command's response shows
 * the command's entry (decision 32).
 */
const orderOf = async (orders: Backends['orders'], request: OrderRequest) => {
  const { organizationId, path, read } = request;
  const orderId = path.order_id;
  const { sequence } = await orders.getSequence({ organizationId, id: orderId }, read);
  return { organizationId, orderId, atLeastSequence: sequence };
};

/** The operations on an order's custody: its history, the head of its chain, its proof file. */
export const custodyRoutes = ({ orders, custody }: Pick<Backends, 'orders' | 'custody'>) => {
  const prove = async (request: OrderRequest, whole: boolean): Promise<GetProofResponse> => {
    const order = await orderOf(orders, request);
    return custody.getProof({ ...order, whole }, request.read);
  };
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
      response: list(custodyEntry),
      summary: "List an order's custody history",
      description:
        'Oldest entry first. The entries form a hash chain that you can recompute. After the response to a command the list contains the entry of that command.',
      handle: async (request) => {
        const order = await orderOf(orders, request);
        if (order.atLeastSequence === 0) return json([]);
        const { entries } = await custody.listEvents(order, request.read);
        return json(entries.map(entryJson));
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
        const { count, headHash, log } = await prove(request, false);
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
      response: custodyProof,
      summary: 'Get a custody proof',
      description:
        'One file for offline verification: the entries, the inclusion proof of the last entry under a signed checkpoint, the completeness proof from the signed order index, and the public keys.',
      handle: async (request) => json(proofJson(request.path.order_id, await prove(request, true))),
    }),
  ];
};

/** Returns the proof file `custody-proof/1`, which `custody-verify` reads. */
const proofJson = (orderId: string, proof: GetProofResponse) => ({
  v: 'custody-proof/1',
  order_id: orderId,
  genesis: {
    rule: 'hex(SHA-256(JCS({"v":"custody-genesis/1","order_id":order_id})))',
    hash: proof.genesisHash,
  },
  entries: proof.entries.map(entryJson),
  count: proof.count,
  head_hash: proof.headHash,
  log: proof.log
    ? {
        origin: proof.log.origin,
        leaf_index: Number(proof.log.leafIndex),
        tree_size: Number(proof.log.treeSize),
        inclusion: proof.log.inclusion.map(base64),
        checkpoint: proof.log.checkpoint,
      }
    : null,
  completeness: proof.completeness ? completenessJson(proof, proof.completeness) : null,
  keys: proof.keys.map(({ vkey, validFrom, validUntil }) => ({
    vkey,
    valid_from: validFrom,
    valid_until: validUntil ?? null,
  })),
});

/**
 * Returns the proof that the signed order index contains this order's count and head (decision 52).
 */
const completenessJson = (
  { count, headHash }: GetProofResponse,
  { path, otherLeaf, checkpoint }: Completeness,
) => ({
  count,
  head_hash: headHash,
  path: path.map(base64),
  other_leaf: otherLeaf
    ? { order_key: base64(otherLeaf.orderKey), value_hash: base64(otherLeaf.valueHash) }
    : null,
  checkpoint,
});

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/**
 * Returns a custody entry as partners see it (contract 2.4): with all values that its hash covers.
 */
const entryJson = (entry: Entry) => ({
  id: entry.id,
  type: entry.type,
  internal_type: entry.internalType,
  ts_utc: entry.tsUtc,
  gps_lat: entry.gpsLat ?? null,
  gps_lng: entry.gpsLng ?? null,
  payload: entry.payloadJson === '' ? null : JSON.parse(entry.payloadJson),
  prev_event_hash: entry.prevEventHash,
  event_hash: entry.eventHash,
});
