import type { ShowOrderResponse } from '@pto/proto/orders/v1/commands';
import { disclosedValues, entryJson, orderDeliveriesJson, orderJson } from '@pto/representation';
import { Link } from 'wouter';
import { clients } from '../calls/clients.ts';
import { titled } from '../parts/environment.ts';
import { useMay } from '../parts/me.ts';
import { OrderPage as Page } from '../parts/order/page.tsx';
import { beforeEvents, type OrderSource } from '../parts/order/source.ts';
import { Fact } from '../parts/order-facts.tsx';
import { useOrganizationName } from '../parts/organizations.ts';
import { Text } from '../parts/text.tsx';
import { OrderActions } from './order/actions.tsx';
import { Downloads } from './order/downloads.tsx';
import { OrderLinks } from './order/links.tsx';

const { orders, ledger, deliveries } = clients;

const source: OrderSource<ShowOrderResponse, Awaited<ReturnType<typeof ledger.exportChain>>> = {
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

/** One order, with what only operators see and do. */
export const OrderPage = ({ id }: { id: string }) => {
  const may = useMay();
  return (
    <Page
      id={id}
      source={source}
      own={({ own }) => ({
        alert: own.order!.custodyFault !== undefined && (
          <p className="error" role="alert">
            The auditor found a custody fault: {own.order!.custodyFault}. See{' '}
            <Link href="/ledger">the ledger</Link>.
          </p>
        ),
        commands: <OrderActions order={own.order!} />,
        facts: <Facts shown={own} />,
        downloads: (
          <>
            <Downloads orderId={id} />
            <OrderLinks organizationId={own.order!.organizationId} orderId={id} />
          </>
        ),
        hasDeliveries: true,
        sendsAgain: may('dispatcher'),
      })}
    />
  );
};

const Facts = ({ shown: { order, violations } }: { shown: ShowOrderResponse }) => {
  const nameOf = useOrganizationName();
  const may = useMay();
  const { id, organizationId, transportOrganization, driver, carrierId, driverId } = order!;
  const unassigned = <span className="faint">not assigned</span>;
  return (
    <>
      <Fact name="Organization">
        <Link href={`/organizations/${organizationId}`}>
          <Text of={nameOf(organizationId)} />
        </Link>
      </Fact>
      <Fact name="Carrier assigned">
        {transportOrganization ? (
          <Recorded name={transportOrganization} at={carrierId && '/carriers'} />
        ) : (
          unassigned
        )}
      </Fact>
      <Fact name="Driver assigned">
        {driver ? <Recorded name={driver} at={driverId && `/drivers/${driverId}`} /> : unassigned}
      </Fact>
      {may('auditor') && (
        <Fact name="Who changed it">
          <Link href={`/audit?target=${id}`}>Its actions in the audit log</Link>
        </Fact>
      )}
      {violations.length > 0 && (
        <Fact name="Violations">
          <Link href="/ledger">{violations.length} in the ledger</Link>
        </Fact>
      )}
    </>
  );
};

/** A name, with a link to its record if it has one. */
const Recorded = ({ name, at }: { name: string; at: string | undefined }) =>
  at ? (
    <Link href={at}>
      <Text of={name} />
    </Link>
  ) : (
    <Text of={name} />
  );
