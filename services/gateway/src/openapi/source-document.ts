import { routeTable } from '../routes/table.ts';
import { openapiDocument } from './document.ts';

/**
 * The document of this source, without the addresses of an installation. `openapi/v1.json`, the
 * reference of the site and the clients are generated from it. No handler is called, so no service
 * is needed.
 */
export const sourceDocument = openapiDocument(routeTable({} as never, 'sandbox'));
