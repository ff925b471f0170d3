import { portalSession } from '../browser/session-cookie.ts';
import type { LinkedSessions } from '../operators/linked-sessions.ts';

/** A partner's session of the portal (decision 69). */
export const portalSessions: LinkedSessions = {
  path: '/session',
  service: 'access/access.v1.PortalSessionService',
  open: 'OpenSession',
  get: 'GetSession',
  end: 'EndSession',
  opening: ['code', 'nonce'],
  cookie: portalSession,
  advice: 'Open the portal by a link.',
};
