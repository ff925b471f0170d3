import { callers } from '@pto/proto/callers';
import type { WhoAmIResponse } from '@pto/proto/operators/v1/operators';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { createContext, useContext } from 'react';

/** The signed-in operator. */
export const Me = createContext<WhoAmIResponse | undefined>(undefined);

/** Whether the operator has one of the roles. The services decide; this hides what would be refused. */
export const useMay = (): ((...roles: readonly string[]) => boolean) => {
  const me = useContext(Me);
  return (...roles) => roles.some((role) => me?.roles.includes(role));
};

/** Whether the operator may send a command of OrderCommandService. @param rpc such as `acceptOrder`. */
export const useMaySend = (): ((rpc: string) => boolean) => {
  const may = useMay();
  const rows = callers[OrderCommandService.typeName]!;
  return (rpc) => may(...(rows[`${rpc[0]!.toUpperCase()}${rpc.slice(1)}`]?.roles ?? []));
};
