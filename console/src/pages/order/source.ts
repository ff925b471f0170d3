import type { ShowOrderResponse } from '@pto/proto/orders/v1/commands';
import { disclosedValues, entryJson, orderDeliveriesJson, orderJson } from '@pto/representation';
import { clients } from '../../calls/clients.ts';
import { titled } from '../../parts/environment.ts';
import { beforeEvents, type OrderSource } from '../../parts/order/source.ts';

const { orders, ledger, deliveries } = clients;

/** Reads an order with what only operators see. */
export const source: OrderSource<
  ShowOrderResponse,
  Awaited<ReturnType<typeof ledger.exportChain>>
> = {
  get brand() {
    return titled('Console');
  },
  order: (orderId) => orders.showOrder({ orderId, refresh: true }),
  shown: (own) => {
    const { driver, transportOrganization, sequence } = own.order!;
    const order = {
      ...orderJson(own.order!),
      driver,
      transport_organization: transportOrganization,
    };
    return { order, events: sequence, own };
  },
  chain: (orderId) => ledger.exportChain({ orderId, refresh: true }),
  entriesOf: ({ entries }, { disclosures, operators }) => {
    const values = disclosedValues(disclosures);
    return entries.map(({ entry }) => ({
      ...entryJson(entry!, values),
      operator: operators.find((one) => one.entry === entry!.sequence)?.name,
    }));
  },
  file: async (orderId, sha256) =>
    (await orders.exportArtifact({ orderId, sha256 })).content as Uint8Array<ArrayBuffer>,
  deliveries: async ({ order: { id: orderId }, own }) => {
    const { organizationId } = own.order!;
    const found = await deliveries.listOrderDeliveries({ orderId, organizationId, refresh: true });
    return orderDeliveriesJson(found);
  },
  sendAgain: ({ order }, id) =>
    deliveries.recoverDeliveries({
      ...{ id, orderId: order.id, since: beforeEvents(order), includePending: true },
    }),
};
