/** Reads an order's history from two services. */
import type { Entry } from '@pto/proto/custody/v1/custody';
import { type DisclosedValues, disclosedValues } from '@pto/representation';
import type { Backends } from '../backends.ts';
import type { PartnerRequest } from './route.ts';

/** A request for the history of an order. */
export type OrderRequest = Pick<
  PartnerRequest<{ order_id: string }, unknown, unknown>,
  'organizationId' | 'path' | 'read'
>;

/** Maximum number of reads of an order whose history grows at the same time. */
const readsMax = 3;

/**
 * Reads an order's history from custody, and the disclosed values of its entries from orders. Custody
 * waits up to 2 s for as many entries as orders has events, so that a read after a command's response
 * shows the command's entry (decision 32). If custody has more, both are read again: values and
 * entries of one state say of each field whether it was erased (decision 70).
 */
export const historyOf = async <History extends { readonly entries: readonly Entry[] }>(
  orders: Backends['orders'],
  { organizationId, path, read }: OrderRequest,
  readHistory: (order: {
    organizationId: string;
    orderId: string;
    atLeastSequence: number;
  }) => Promise<History>,
): Promise<{ history: History; disclosed: DisclosedValues }> => {
  const orderId = path.order_id;
  for (let reads = 1; ; reads++) {
    const { sequence, disclosures } = await orders.getSequence(
      { organizationId, id: orderId },
      read,
    );
    const history = await readHistory({ organizationId, orderId, atLeastSequence: sequence });
    if (history.entries.length <= sequence || reads === readsMax)
      return { history, disclosed: disclosedValues(disclosures) };
  }
};
