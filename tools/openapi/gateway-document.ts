/** The OpenAPI document of this source, as `services/gateway/openapi/v1.json` has it. */
import { sourceDocument } from '../../services/gateway/src/openapi/document.ts';

export const document = sourceDocument();
export const documentText = `${JSON.stringify(document, null, 2)}\n`;
