import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { EndpointBadge } from '../badge.tsx';
import { Failures } from '../failures.tsx';
import { LinkedText } from '../linked-text.tsx';
import type { Schemas } from '../schemas.ts';
import { type Column, Table } from '../table.tsx';
import { Time } from '../time.tsx';
import { rich, t } from '../words.ts';

type Endpoint = Schemas['WebhookEndpoint'];

const columns = (): readonly Column<Endpoint>[] => [
  ['URL', ({ id, url }) => <LinkedText of={url} at={`/endpoints/${id}`} className="order" />],
  ['Status', (endpoint) => <EndpointBadge of={endpoint} />, 'state'],
  ['Events', ({ event_filter }) => event_filter?.join(', ') ?? t('all'), 'dropped'],
  ['Last success', ({ last_success_at }) => <Time at={last_success_at ?? ''} />, 'named'],
  [
    'Failed attempts in a row',
    ({ consecutive_failures, health }) => (
      <>
        <Failures of={consecutive_failures} />{' '}
        {health.breaks_at &&
          rich('deliveries stop {time} (broken)', { time: <Time at={health.breaks_at} /> })}
      </>
    ),
    'named',
  ],
];

/** Webhook endpoints with their health. @param more columns of the audience. */
export const EndpointTable = ({
  more = [],
  ...shown
}: {
  query: UseQueryResult<Endpoint[]>;
  empty: ReactNode;
  more?: readonly Column<Endpoint>[];
}) => (
  <Table
    rows={(endpoints) => endpoints}
    columns={[...columns(), ...more]}
    caption="Endpoints"
    {...shown}
  />
);
