import { clients } from '../calls/clients.ts';
import { RequestLog } from '../parts/request-log.tsx';

const pageSize = 20;

/** The requests of an organization in the last 7 days. */
export const Requests = ({ organizationId }: { organizationId: string }) => (
  <RequestLog
    name={['organization', organizationId]}
    heading={<h2>Requests</h2>}
    read={(filter) =>
      clients.access.listRequests({ organizationId, ...filter, pageSize, refresh: true })
    }
  />
);
