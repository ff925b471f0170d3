import type { ReactNode } from 'react';
import { useCall } from '../../calls/use-call.ts';
import { EndpointBadge } from '../badge.tsx';
import { Copy } from '../copy.tsx';
import { Fact } from '../order-facts.tsx';
import { Pending } from '../pending.tsx';
import { Text } from '../text.tsx';
import { visibleText } from '../visible-text.ts';
import { t } from '../words.ts';
import { EndpointCommands } from './commands.tsx';
import { EndpointDeliveries } from './deliveries.tsx';
import { Handshake } from './handshake.tsx';
import { Health } from './health.tsx';
import { EndpointMetrics } from './metrics.tsx';
import type { EndpointRights, EndpointSource, ShownEndpoint } from './source.ts';

/** One endpoint: its health, its deliveries, and what can be done with it. */
export const EndpointPage = ({
  id,
  source,
  may,
  organization,
}: {
  id: string;
  source: EndpointSource;
  may: EndpointRights;
  /** The link to its organization, for operators. */
  organization?: (endpoint: ShownEndpoint) => ReactNode;
}) => {
  const query = useCall(['endpoint', id], () => source.endpoint(id), source.live);
  if (!query.data) return <Pending of="Endpoint" query={query} />;
  const endpoint = query.data;
  const { url } = endpoint;
  const parts = { source, may, endpoint };
  return (
    <>
      <title>{`${visibleText(url)} – ${source.brand}`}</title>
      <div className="bar">
        <h1 className="url">
          <Text of={url} />
        </h1>
        <EndpointBadge of={endpoint} />
        {organization?.(endpoint)}
      </div>
      <Health {...parts} />
      <dl className="facts">
        <Fact name="Events">{endpoint.event_filter?.join(', ') ?? t('all')}</Fact>
        <Fact name="Id">
          <Copy text={id} />
        </Fact>
      </dl>
      <EndpointCommands {...parts} />
      <Handshake {...parts} />
      <EndpointMetrics {...parts} />
      <EndpointDeliveries {...parts} />
    </>
  );
};
