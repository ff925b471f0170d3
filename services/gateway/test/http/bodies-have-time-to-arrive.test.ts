import { expect, test } from '@jest/globals';
import { gatewayTimings } from '../../src/config.ts';
import { waitMs } from '../../src/http/organization-slots.ts';
import { routeTable } from '../../src/routes/table.ts';

test.each(
  routeTable({} as never, 'sandbox').map(
    ({ name, bodyMs = gatewayTimings.bodyMs }) => [name, bodyMs] as const,
  ),
)('%s: a request that waited for its slot has its %i ms for the body', (_, bodyMs) => {
  expect(gatewayTimings.requestMs).toBeGreaterThan(waitMs + bodyMs);
});
