import { Link } from 'wouter';
import { clients } from '../calls/clients.ts';
import { useCall } from '../calls/use-call.ts';
import { Badge } from '../parts/badge.tsx';
import { Copy } from '../parts/copy.tsx';
import { Failures } from '../parts/failures.tsx';
import { useOrganizationName } from '../parts/organizations.ts';
import { Pending } from '../parts/pending.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { visibleText } from '../parts/visible-text.ts';
import { EndpointActions } from './endpoint/actions.tsx';
import { EndpointDeliveries } from './endpoint/deliveries.tsx';

/** One endpoint: its health, its deliveries with what was sent, and what an operator can do. */
export const EndpointPage = ({ id }: { id: string }) => {
  const nameOf = useOrganizationName();
  const shown = useCall(['endpoint', id], () => clients.deliveries.showEndpoint({ id }));
  if (!shown.data) return <Pending of="Endpoint" query={shown} />;
  const endpoint = shown.data.endpoint!;
  const { health, consecutiveFailures, status, disabled, eventFilter } = endpoint;
  return (
    <>
      <title>{`${visibleText(endpoint.url)} – Console`}</title>
      <div className="bar">
        <h1 className="url">
          <Text of={endpoint.url} />
        </h1>
        <Badge of={disabled ? 'DISABLED' : status} />
        <Link href={`/organizations/${endpoint.organizationId}`}>
          <Text of={nameOf(endpoint.organizationId)} />
        </Link>
      </div>
      <dl className="facts">
        <dt>Id</dt>
        <dd>
          <Copy text={id} />
        </dd>
        <dt>Events</dt>
        <dd>{eventFilter ? eventFilter.events.join(', ') : 'all'}</dd>
        <dt>Failures in a row</dt>
        <dd>
          <Failures of={consecutiveFailures} />{' '}
          {health && health.failureRatio > 0 && (
            <meter
              aria-label="Failures in a row, of those that break the endpoint"
              min={0}
              max={1}
              high={0.7}
              optimum={0}
              value={health.failureRatio}
            >
              {Math.round(health.failureRatio * 100)} %
            </meter>
          )}
        </dd>
        <dt>Becomes broken</dt>
        <dd>{health?.breaksAt ? <Time at={health.breaksAt} /> : 'not foreseen'}</dd>
        <dt>Last success</dt>
        <dd>
          <Time at={endpoint.lastSuccessAt} />
        </dd>
      </dl>
      <EndpointActions endpoint={endpoint} />
      <EndpointDeliveries endpoint={endpoint} />
    </>
  );
};
