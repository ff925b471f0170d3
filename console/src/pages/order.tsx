import { nextStopOf } from '@pto/proto/order-commands';
import type { ShowOrderResponse } from '@pto/proto/orders/v1/commands';
import type { Order } from '@pto/proto/orders/v1/orders';
import { kilometers } from '@pto/representation';
import { useState } from 'react';
import { Link } from 'wouter';
import { isUnderWay } from '../board/columns.ts';
import { holdingOf } from '../board/holding.ts';
import { useCommandIds } from '../calls/use-command-ids.ts';
import { useRecords } from '../parts/carriers.ts';
import { LinkedText } from '../parts/linked-text.tsx';
import { useMay } from '../parts/me.ts';
import { OrderPage as Page } from '../parts/order/page.tsx';
import { Fact } from '../parts/order-facts.tsx';
import { useOrganizationName } from '../parts/organizations.ts';
import { PlaceTime } from '../parts/place-time.tsx';
import { Text } from '../parts/text.tsx';
import { usePositions } from '../parts/use-positions.ts';
import { Telephone } from './carriers.tsx';
import { OrderActions } from './order/actions.tsx';
import { Downloads } from './order/downloads.tsx';
import { OrderLinks } from './order/links.tsx';
import { LockedCodes } from './order/locked-codes.tsx';
import { ResolveWindow } from './order/resolve.tsx';
import { source } from './order/source.ts';

/** One order, with what only operators see and do. */
export const OrderPage = ({ id }: { id: string }) => {
  const may = useMay();
  const [resolving, setResolving] = useState<Order>();
  const withCommandId = useCommandIds();
  return (
    <Page
      id={id}
      source={source}
      own={({ own }) => ({
        alert: (
          <>
            {own.order!.custodyFault !== undefined && (
              <p className="error" role="alert">
                The auditor found a custody fault: {own.order!.custodyFault}. See{' '}
                <Link href="/ledger">the ledger</Link>.
              </p>
            )}
            <LockedCodes order={own.order!} />
          </>
        ),
        onResolve: may('dispatcher')
          ? (one) => setResolving({ ...own.order!, openIncidentsJson: JSON.stringify([one]) })
          : undefined,
        call: (heldBy) => heldBy && <Call order={own.order!} heldBy={heldBy} />,
        commands: (
          <>
            <OrderActions order={own.order!} />
            {resolving && (
              <ResolveWindow
                order={resolving}
                withCommandId={(rpc, send) =>
                  withCommandId(`${rpc} ${resolving.openIncidentsJson}`, send)
                }
                onClose={() => setResolving(undefined)}
              />
            )}
          </>
        ),
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

/** The telephone of the party that has the goods: of the driver, if it is the assigned carrier. */
const Call = ({ order, heldBy }: { order: Order; heldBy: string }) => (
  <Telephone of={holdingOf({ ...order, heldBy }, useRecords().data)} />
);

const Facts = ({ shown: { order, violations } }: { shown: ShowOrderResponse }) => {
  const nameOf = useOrganizationName();
  const may = useMay();
  const { id, status, organizationId, transportOrganization, driver, carrierId, driverId } = order!;
  const records = useRecords().data;
  const carrier = records?.carriers.find((one) => one.id === carrierId);
  const recorded = records?.drivers.find((one) => one.id === driverId);
  return (
    <>
      <Fact name="Organization">
        <LinkedText of={nameOf(organizationId)} at={`/organizations/${organizationId}`} />
      </Fact>
      <Fact name="Carrier assigned">
        <Recorded name={transportOrganization} at={carrierId && '/carriers'} of={carrier} />
      </Fact>
      <Fact name="Driver assigned">
        <Recorded
          name={driver}
          at={driverId && `/drivers/${driverId}`}
          of={recorded}
          // a pick-up needs a driver
          none={isUnderWay(order!) || status === 'CLOSED' ? 'name erased' : undefined}
        />
        <Whereabouts of={order!} />
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

/** How far the driver of an order under way was from the next stop; nothing if nobody knows. */
const Whereabouts = ({ of }: { of: Order }) => {
  const { id, status, pickupLocation, dropoffLocation } = of;
  const circle = usePositions([of])?.get(id);
  const { lat, lng, city, country } =
    (nextStopOf(status) === 'pickup' ? pickupLocation : dropoffLocation) ?? {};
  if (!circle || lat === undefined || lng === undefined) return null;
  return (
    <div className="faint">
      about {Math.max(1, Math.ceil(kilometers(circle, { lat, lng })))} km from{' '}
      <Text of={`${city}`} /> at <PlaceTime at={circle.at} country={`${country}`} />
    </div>
  );
};

/** A name, with a link to its record and its telephone if it has them. */
const Recorded = ({
  name,
  at,
  of,
  none = 'not assigned',
}: {
  name: string | undefined;
  at: string | undefined;
  of: Parameters<typeof Telephone>[0]['of'] | undefined;
  none?: string | undefined;
}) =>
  name ? (
    <>
      <LinkedText of={name} at={at} /> {of && <Telephone of={of} />}
    </>
  ) : (
    <span className="faint">{none}</span>
  );
