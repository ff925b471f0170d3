import type { ShowOrderResponse } from '@pto/proto/orders/v1/commands';
import { orderJson } from '@pto/representation';
import { Link } from 'wouter';
import { clients } from '../calls/clients.ts';
import { useCall } from '../calls/use-call.ts';
import { Badge } from '../parts/badge.tsx';
import { CustodyNow } from '../parts/custody-now.tsx';
import { Incidents } from '../parts/incidents.tsx';
import { OrderMap } from '../parts/map.tsx';
import { useMay } from '../parts/me.ts';
import { Fact, OrderFacts } from '../parts/order-facts.tsx';
import { useOrganizationName } from '../parts/organizations.ts';
import { NotReadAgain, Pending } from '../parts/pending.tsx';
import { shortId } from '../parts/short-id.ts';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { visibleText } from '../parts/visible-text.ts';
import { OrderActions } from './order/actions.tsx';
import { Chain } from './order/chain.tsx';
import { Deliveries } from './order/deliveries.tsx';
import { useChain } from './order/use-chain.ts';

/** One order: who holds it, its custody chain, its deliveries, and what can be done next. */
export const OrderPage = ({ id }: { id: string }) => {
  const shown = useCall(
    ['order', id],
    () => clients.orders.showOrder({ orderId: id, refresh: true }),
    { live: true },
  );
  if (!shown.data) return <Pending of="Order" query={shown} />;
  return (
    <>
      <NotReadAgain query={shown} />
      <Shown shown={shown.data} />
    </>
  );
};

const Shown = ({ shown }: { shown: ShowOrderResponse }) => {
  const order = shown.order!;
  const chain = useChain(shown);
  const name = order.externalId ?? shortId(order.id);
  return (
    <>
      <title>{`${visibleText(name)} – Console`}</title>
      <div className="bar">
        <h1>
          <Text of={name} />
        </h1>
        <Badge of={order.status} />
        <Incidents of={chain.entries} />
        <span className="faint">
          changed <Time at={order.updatedAt} />
        </span>
      </div>
      {order.custodyFault !== undefined && (
        <p className="error" role="alert">
          The auditor found a custody fault: {order.custodyFault}. See{' '}
          <Link href="/ledger">the ledger</Link>.
        </p>
      )}
      <CustodyNow order={order} entries={chain.verified} />
      <OrderActions order={order} />
      <div className="beside">
        <Facts shown={shown} />
        <OrderMap order={order} />
      </div>
      <Chain shown={shown} chain={chain} />
      <Deliveries order={order} />
    </>
  );
};

const Facts = ({ shown: { order, violations } }: { shown: ShowOrderResponse }) => {
  const nameOf = useOrganizationName();
  const may = useMay();
  const { id, organizationId, transportOrganization, driver } = order!;
  const unassigned = <span className="faint">not assigned</span>;
  return (
    <OrderFacts order={orderJson(order!)}>
      <Fact name="Organization">
        <Link href={`/organizations/${organizationId}`}>
          <Text of={nameOf(organizationId)} />
        </Link>
      </Fact>
      <Fact name="Transport">
        {transportOrganization ? <Text of={transportOrganization} /> : unassigned}
      </Fact>
      <Fact name="Driver">{driver ? <Text of={driver} /> : unassigned}</Fact>
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
    </OrderFacts>
  );
};
