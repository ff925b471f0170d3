import { fileURLToPath } from 'node:url';

/** The checkout, with a `/` at its end. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** This workspace, with a `/` at its end. */
export const siteRoot = fileURLToPath(new URL('../', import.meta.url));
