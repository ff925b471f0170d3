import { driverSession } from '../browser/session-cookie.ts';
import type { LinkedSessions } from '../operators/linked-sessions.ts';

/** A shift of a driver on one phone, whose key signs the opening and each prolongation (decision 85). */
export const driverSessions: LinkedSessions = {
  path: '/session',
  service: 'operators/operators.v1.DriverSessionService',
  open: 'OpenDriverSession',
  get: 'GetDriverSession',
  end: 'EndDriverSession',
  renew: 'RenewDriverSession',
  opening: ['code', 'key', 'signature'],
  renewal: ['expiresAt', 'signature'],
  cookie: driverSession,
  advice: 'Open the page by a link from the dispatcher.',
};
