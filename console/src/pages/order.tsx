import type { ShowOrderResponse } from '@pto/proto/orders/v1/commands';
import { Link } from 'wouter';
import { useMay } from '../parts/me.ts';
import { OrderPage as Page } from '../parts/order/page.tsx';
import { Fact } from '../parts/order-facts.tsx';
import { useOrganizationName } from '../parts/organizations.ts';
import { Text } from '../parts/text.tsx';
import { OrderActions } from './order/actions.tsx';
import { Downloads } from './order/downloads.tsx';
import { OrderLinks } from './order/links.tsx';
import { Resolve } from './order/resolve.tsx';
import { source } from './order/source.ts';

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
        resolve: may('dispatcher') && <Resolve order={own.order!} />,
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
