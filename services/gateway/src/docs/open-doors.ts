import type { Door } from '../http/doors.ts';
import { openapiDocument } from '../openapi/document.ts';
import type { Route } from '../routes/route.ts';
import { errorPage } from './error-page.ts';
import { referencePage } from './reference-page.ts';

/** Every path that needs no key, at the gateway's root, outside of the API's own base path. */
export const openDoors = (
  table: readonly Route[],
  publicBaseUrl: string,
): ReadonlyMap<string, Door> =>
  new Map([
    [
      '/openapi.json',
      {
        contentType: 'application/json',
        bytes: Buffer.from(JSON.stringify(openapiDocument(table, publicBaseUrl))),
      },
    ],
    ['/docs/errors', errorPage()],
    ...referencePage(),
  ]);
