import { readFileSync } from 'node:fs';

interface Schema {
  readonly type?: unknown;
  readonly format?: string;
}

const document: {
  components: { schemas: { OrderCreate: { properties: Readonly<Record<string, Schema>> } } };
} = JSON.parse(
  readFileSync(new URL('../../../services/gateway/openapi/v1.json', import.meta.url), 'utf8'),
);

/** Names of the optional texts of a request for an order, by the OpenAPI document. */
export const orderTexts: readonly string[] = Object.entries(
  document.components.schemas.OrderCreate.properties,
)
  .filter(([, { type, format }]) => `${type}` === 'string,null' && format === undefined)
  .map(([name]) => name);
