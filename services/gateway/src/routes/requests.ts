import { json } from '../http/respond.ts';
import type { ReadRequests } from '../request-log/read-requests.ts';
import { requestList, requestLogSpan, requestQuery } from '../resources/requests.ts';
import { route } from './route.ts';

/**
 * The log of requests; an addition to contract 4. Its scope is `orders:read`, because paths have the
 * ids of orders (contract 5.6).
 * @param read absent where no request is served, as for the OpenAPI document.
 */
export const requestRoutes = (read: ReadRequests | undefined) => [
  route({
    name: 'listRequests',
    method: 'GET',
    path: '/requests',
    scope: 'orders:read',
    schemas: { query: requestQuery },
    lane: 'rows',
    response: requestList,
    summary: 'List your requests',
    description: `The requests of your organization's keys in the last ${requestLogSpan}, newest first, rejected ones too. A request is in the log about a second after its response. Bodies, queries, headers and addresses are not stored. Requests beyond a key's limits are stored up to 60 a minute; \`left_out\` counts the others.`,
    handle: async ({ organizationId, query, read: { signal } }) => {
      const page = await read!(
        {
          organizationId,
          limit: query.limit,
          beforeId: query.cursor,
          status: query.status,
          method: query.method,
          requestId: query.request_id,
        },
        signal,
      );
      return json({ data: page.requests, next_cursor: page.nextId ?? null });
    },
  }),
];
