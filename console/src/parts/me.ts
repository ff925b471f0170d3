import type { WhoAmIResponse } from '@pto/proto/operators/v1/operators';
import { createContext, useContext } from 'react';

/** The signed-in operator. */
export const Me = createContext<WhoAmIResponse | undefined>(undefined);

/** Whether the operator has one of the roles. The services decide; this hides what would be refused. */
export const useMay = (): ((...roles: readonly string[]) => boolean) => {
  const me = useContext(Me);
  return (...roles) => roles.some((role) => me?.roles.includes(role));
};
