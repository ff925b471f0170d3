import type { Words } from '../parts/words.ts';

/** The German of the driver's page. */
export const german: Words = {};
