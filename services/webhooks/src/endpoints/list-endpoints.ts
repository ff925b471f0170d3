import { type Database, isUuid } from '@pto/database';
import { type Endpoint, EndpointEntity } from '../schema/endpoint.ts';

/** GET /webhooks: an organization's endpoints, oldest first. There are at most 20. */
export const listEndpoints = async (db: Database, organizationId: string): Promise<Endpoint[]> =>
  isUuid(organizationId)
    ? db.read((em) => em.find(EndpointEntity, { organizationId }, { orderBy: { id: 'asc' } }))
    : [];
