import { type Database, isUuid } from '@pto/database';
import { type Endpoint, EndpointEntity } from '../schema/endpoint.ts';

/** GET /webhooks: returns an organization's endpoints, oldest first; at most 20 (decision 45). */
export const listEndpoints = async (db: Database, organizationId: string): Promise<Endpoint[]> =>
  isUuid(organizationId)
    ? db.read((em) => em.find(EndpointEntity, { organizationId }, { orderBy: { id: 'asc' } }))
    : [];
