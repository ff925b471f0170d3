import { clients } from './clients.ts';

type Rpcs = Readonly<Record<string, (request: object) => Promise<unknown>>>;

/** Sends a command of OrderCommandService. @param rpc of its row in proto/order-commands.ts. */
export const sendOrderCommand = (
  rpc: string,
  circumstances: { readonly orderId: string; readonly commandId: string },
  fields: Readonly<Record<string, unknown>>,
): Promise<unknown> => (clients.orders as unknown as Rpcs)[rpc]!({ circumstances, ...fields });
