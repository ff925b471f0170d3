import { createContext, useContext } from 'react';
import type { Session } from './api.ts';
import { paced } from './pace.ts';

/** The session of the portal. */
export const PortalSession = createContext<Session | undefined>(undefined);

/** A page that reads again after 5 s, or later if many browsers of the organization read. */
export const livePortal = { live: true, everyMs: paced(5000) } as const;

/**
 * What the session permits. The gateway decides; this hides what would be refused.
 */
export const usePermitted = () => {
  const session = useContext(PortalSession)!.session;
  const { scopes = [], readOnly = false, endpointId } = session;
  const has = (scope: string) => scopes.includes(scope);
  return {
    /** The only endpoint of a session that is limited to one. */
    endpointId,
    readsOrders: has('orders:read') && endpointId === undefined,
    changesOrders: has('orders:write') && !readOnly && endpointId === undefined,
    readsKeys: has('keys:rotate'),
    /** The key with which the session ends. */
    ownKeyId: session.parentId,
    readsEndpoints: has('webhooks:manage'),
    changesEndpoints: has('webhooks:manage') && !readOnly,
  };
};
