import type { ShowOrderResponse } from '@pto/proto/orders/v1/commands';
import { Link } from 'wouter';
import { clients } from '../calls/clients.ts';
import { useCall } from '../calls/use-call.ts';
import { Badge } from '../parts/badge.tsx';
import { Copy } from '../parts/copy.tsx';
import { CustodyNow } from '../parts/custody-now.tsx';
import { Incidents } from '../parts/incidents.tsx';
import { OrderMap } from '../parts/map.tsx';
import { useMay } from '../parts/me.ts';
import { useOrganizationName } from '../parts/organizations.ts';
import { NotReadAgain, Pending } from '../parts/pending.tsx';
import { Priority } from '../parts/priority.tsx';
import { shortId } from '../parts/short-id.ts';
import { ExactTime, Time } from '../parts/time.tsx';
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
  return (
    <>
      <title>{`${order.externalId ?? shortId(order.id)} – Console`}</title>
      <div className="bar">
        <h1>{order.externalId ?? shortId(order.id)}</h1>
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
      <Deliveries orderId={order.id} organizationId={order.organizationId} />
    </>
  );
};

const kindsMax = 5;

/** Returns the kinds of goods, each once, the first ones. */
const kindsOf = (items: readonly { readonly goodsType: string }[]): string => {
  const kinds = [...new Set(items.map(({ goodsType }) => goodsType))];
  return kinds.slice(0, kindsMax).join(', ') + (kinds.length > kindsMax ? ' …' : '');
};

/** Returns the required methods of handovers in words, such as `pickup: scan; dropoff: signature`. */
const evidenceOf = (json: string): string =>
  Object.entries(JSON.parse(json) as Record<string, readonly string[]>)
    .filter(([, methods]) => methods.length > 0)
    .map(([stage, methods]) => `${stage}: ${methods.join(', ')}`)
    .join('; ');

/** An exact decimal such as `2.00`, as the chain shows it. */
const degrees = (decimal: string | undefined): number | string =>
  decimal === undefined ? '…' : Number(decimal);

const Facts = ({ shown: { order, violations } }: { shown: ShowOrderResponse }) => {
  const nameOf = useOrganizationName();
  const may = useMay();
  const {
    id,
    organizationId,
    sla,
    pickupLocation,
    dropoffLocation,
    dropoffAddressText,
    pickupWindowStart,
    pickupWindowEnd,
    transportOrganization,
    driver,
    items,
    notes,
    requiredEvidenceJson,
    temperatureMin,
    temperatureMax,
  } = order!;
  const seals = items.map(({ sealId }) => sealId).filter((seal) => seal !== undefined);
  const place = (location: typeof pickupLocation) =>
    location && `${location.street}, ${location.zip} ${location.city}, ${location.country}`;
  return (
    <section aria-label="Order">
      <h2>Order</h2>
      <dl className="facts">
        <dt>Id</dt>
        <dd>
          <Copy text={id} />
        </dd>
        <dt>Organization</dt>
        <dd>
          <Link href={`/organizations/${organizationId}`}>{nameOf(organizationId)}</Link>
        </dd>
        <dt>Priority</dt>
        <dd>
          <Priority of={sla} />
        </dd>
        <dt>Pick-up</dt>
        <dd>
          {place(pickupLocation)}
          <br />
          <ExactTime at={pickupWindowStart} />
          {pickupWindowEnd && (
            <>
              {' '}
              to <ExactTime at={pickupWindowEnd} />
            </>
          )}{' '}
          UTC
        </dd>
        <dt>Drop-off</dt>
        <dd>{dropoffAddressText ?? place(dropoffLocation)}</dd>
        <dt>Transport</dt>
        <dd>{transportOrganization ?? <span className="faint">not assigned</span>}</dd>
        <dt>Driver</dt>
        <dd>{driver ?? <span className="faint">not assigned</span>}</dd>
        <dt>Goods</dt>
        <dd>
          {items.length} {items.length === 1 ? 'item' : 'items'}
          {items.length > 0 && `: ${kindsOf(items)}`}
          {seals.length > 0 && `, seals ${seals.slice(0, 5).join(', ')}`}
          {seals.length > 5 && ` and ${seals.length - 5} more`}
        </dd>
        {(temperatureMin !== undefined || temperatureMax !== undefined) && (
          <>
            <dt>Temperature</dt>
            <dd>
              {degrees(temperatureMin)} to {degrees(temperatureMax)} °C
            </dd>
          </>
        )}
        {requiredEvidenceJson !== undefined && (
          <>
            <dt>Required evidence</dt>
            <dd>
              {evidenceOf(requiredEvidenceJson)}
              <br />
              <span className="faint">Steps wait for it.</span>
            </dd>
          </>
        )}
        {notes && (
          <>
            <dt>Notes</dt>
            <dd className="long">{notes}</dd>
          </>
        )}
        {may('auditor') && (
          <>
            <dt>Who changed it</dt>
            <dd>
              <Link href={`/audit?target=${id}`}>Its actions in the audit log</Link>
            </dd>
          </>
        )}
        {violations.length > 0 && (
          <>
            <dt>Violations</dt>
            <dd>
              <Link href="/ledger">{violations.length} in the ledger</Link>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
};
