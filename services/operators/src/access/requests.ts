import { listRequests, loggedMethods, statusFilterForm } from '@pto/access';
import { type Database, isUuid } from '@pto/database';
import { invalid } from '@pto/errors';
import type { AccessService } from '@pto/proto/access/v1/access';
import type { Handlers } from '@pto/rpc';
import { requireId, shown } from '../fields.ts';
import { requireOrganization } from './organizations.ts';

const pageSizeDefault = 200;
const pageSizeMax = 1000;

/** Serves the RPC with which operators read the log of an organization's requests. */
export const requestLog = (db: Database) =>
  ({
    /** @throws Failure NOT_FOUND, VALIDATION */
    listRequests: async ({ pageSize, beforeId, ...request }) => {
      const organizationId = requireId(request.organizationId, 'organization');
      const { status, requestId } = request;
      if (pageSize > pageSizeMax) throw invalid(['page_size'], `at most ${pageSizeMax}`, pageSize);
      if (status !== '' && !statusFilterForm.test(status))
        throw invalid(['status'], 'expected a status such as 429, or a class such as 4xx', status);
      const method = loggedMethods.find((known) => known === request.method);
      if (request.method !== '' && !method)
        throw invalid(['method'], `expected one of ${loggedMethods.join(', ')}`, request.method);
      if (beforeId !== '' && !isUuid(beforeId))
        throw invalid(['before_id'], 'expected next_id of the page before', beforeId);
      await requireOrganization(db, organizationId);
      const page = await listRequests(db, {
        organizationId,
        limit: pageSize || pageSizeDefault,
        beforeId: beforeId || undefined,
        status: status || undefined,
        method,
        requestId: requestId || undefined,
      });
      return { requests: page.requests.map(shown), nextId: page.nextId ?? '' };
    },
  }) satisfies Partial<Handlers<typeof AccessService>>;
