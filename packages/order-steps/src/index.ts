/** Walks an order through its statuses with invented names, for the courier and the command line. */
import { nextCommandOf, type orderCommands } from '@pto/proto/order-commands';
import type { Order } from '@pto/proto/orders/v1/orders';

type Rows = typeof orderCommands;
type NextName = {
  [Name in keyof Rows]: Rows[Name] extends { change: { isNext: true } } ? Name : never;
}[keyof Rows];

/** The RPC of OrderCommandService that moves an order on, and its fields besides the metadata. */
export type NextCommand = readonly [
  rpc: Rows[NextName]['call']['rpc'],
  fields: Readonly<Record<string, unknown>>,
];

/** Returns the seals that {@link nextCommand} applies: one for each item, and at least one. */
export const inventedSealIds = ({ id, items }: Pick<Order, 'id' | 'items'>): string[] =>
  Array.from({ length: Math.max(items.length, 1) }, (_, n) => `S-${id.slice(0, 8)}-${n + 1}`);

/** The names that {@link nextCommand} gives to those who move the order. */
export const invented = {
  transportOrganization: 'Walking Transport',
  driver: 'Walking Driver',
} as const satisfies Record<string, string>;
export type Invented = Readonly<Record<keyof typeof invented, string>>;

/**
 * Returns the command that moves an order to the next status. Names that the command requires are
 * invented. Undefined: no command moves a CLOSED or CANCELLED order.
 */
export const nextCommand = (
  order: Pick<Order, 'id' | 'items' | 'status'>,
  names: Invented = invented,
): NextCommand | undefined => {
  const row = nextCommandOf(order.status);
  if (!row) return undefined;
  const values: Readonly<Record<string, unknown>> = { ...names, sealIds: inventedSealIds(order) };
  const fields = (row.fields ?? []).map(({ name }) => [name, values[name]] as const);
  return [row.call!.rpc as NextCommand[0], Object.fromEntries(fields)];
};
