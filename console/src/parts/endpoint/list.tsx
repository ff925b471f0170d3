import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Badge } from '../badge.tsx';
import { Failures } from '../failures.tsx';
import type { Schemas } from '../schemas.ts';
import { type Column, Table } from '../table.tsx';
import { Text } from '../text.tsx';
import { Time } from '../time.tsx';

type Endpoint = Schemas['WebhookEndpoint'];

const columns = (): readonly Column<Endpoint>[] => [
  [
    'URL',
    ({ id, url }) => (
      <Link href={`/endpoints/${id}`}>
        <Text of={url} />
      </Link>
    ),
  ],
  ['Status', ({ status, disabled }) => <Badge of={disabled ? 'DISABLED' : status} />],
  ['Failures in a row', ({ consecutive_failures }) => <Failures of={consecutive_failures} />],
  ['Last success', ({ last_success_at }) => <Time at={last_success_at ?? ''} />],
  ['Becomes broken', ({ health }) => (health.breaks_at ? <Time at={health.breaks_at} /> : '')],
];

/** Webhook endpoints with their health. */
export const EndpointTable = (shown: { query: UseQueryResult<Endpoint[]>; empty: ReactNode }) => (
  <Table
    rows={(endpoints) => endpoints}
    id={({ id }) => id}
    columns={columns()}
    caption="Endpoints"
    {...shown}
  />
);
