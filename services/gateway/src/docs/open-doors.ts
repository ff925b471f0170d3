import type { Backends } from '../backends.ts';
import { type Door, fixedDoor } from '../http/doors.ts';
import { type Installation, openapiDocument } from '../openapi/document.ts';
import type { Route } from '../routes/route.ts';
import { errorPage } from './error-page.ts';
import { icon } from './icon.ts';
import { logDoors } from './log-doors.ts';
import { referencePage } from './reference-page.ts';
import { verifyDoor, verifyFiles } from './verify-page.ts';

/** Every path that needs no key, at the gateway's root, outside of the API's own base path. */
export const openDoors = (
  table: readonly Route[],
  installation: Installation,
  backends: Pick<Backends, 'log'>,
): readonly Door[] => [
  fixedDoor('/openapi.json', {
    contentType: 'application/json',
    bytes: Buffer.from(JSON.stringify(openapiDocument(table, installation))),
  }),
  fixedDoor('/docs/errors', errorPage()),
  fixedDoor('/favicon.ico', icon()),
  ...[...referencePage(), ...verifyFiles()].map(([path, shown]) => fixedDoor(path, shown)),
  verifyDoor(backends),
  ...logDoors(backends),
];
