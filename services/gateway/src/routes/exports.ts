import { type OrderRecord, toEpcis, toFhir } from '@pto/exports';
import { entryJson } from '@pto/representation';
import type { Backends } from '../backends.ts';
import type { PartnerResponse } from '../http/respond.ts';
import { orderPath } from '../resources/orders.ts';
import { historyOf, type OrderRequest } from './history.ts';
import { route } from './route.ts';

const epcisType = 'application/ld+json';
const fhirType = 'application/fhir+json';

/** An order's custody in the formats of other systems (decision 73). */
export const exportRoutes = ({ orders, custody }: Pick<Backends, 'orders' | 'custody'>) => {
  const recordOf = async (request: OrderRequest): Promise<OrderRecord> => {
    const { organizationId, path, read } = request;
    const { history, disclosed } = await historyOf(orders, request, async (order) =>
      order.atLeastSequence === 0 ? { entries: [] } : custody.listEvents(order, read),
    );
    const { body } = await orders.getOrder({ organizationId, id: path.order_id }, read);
    return {
      order: JSON.parse(Buffer.from(body).toString()),
      custody: { entries: history.entries.map((entry) => entryJson(entry, disclosed)) },
    };
  };
  const shared = {
    method: 'GET',
    scope: 'orders:read',
    schemas: { path: orderPath },
    lane: 'list',
  } as const;
  return [
    route({
      ...shared,
      name: 'getOrderCustodyEpcis',
      path: '/orders/:order_id/custody/epcis',
      file: [epcisType],
      summary: 'Export the custody history to EPCIS',
      description:
        'An EPCIS 2.0 document (JSON-LD). The same history gives the same bytes; `eventID` is the event hash of GS1.',
      handle: async (request) => text(epcisType, toEpcis(await recordOf(request))),
    }),
    route({
      ...shared,
      name: 'getOrderCustodyFhir',
      path: '/orders/:order_id/custody/fhir',
      file: [fhirType],
      summary: 'Export the custody history to FHIR',
      description:
        'A FHIR R4 Bundle (`collection`) with the order as ServiceRequest, the transport as Task, and an AuditEvent for each entry.',
      handle: async (request) => text(fhirType, toFhir(await recordOf(request))),
    }),
  ];
};

const text = (type: string, value: object): PartnerResponse<never> => ({
  headers: { 'Content-Type': type },
  pieces: [Buffer.from(JSON.stringify(value))],
});
