/** The OpenAPI document of this source, as `services/gateway/openapi/v1.json` has it. */
import { openapiDocument } from '../services/gateway/src/openapi/document.ts';
import { routeTable } from '../services/gateway/src/routes/table.ts';

// no handler is called here, so no service is needed
export const document = openapiDocument(routeTable({} as never, 'sandbox'));
export const documentText = `${JSON.stringify(document, null, 2)}\n`;
