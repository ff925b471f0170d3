import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the whole project. */
export const checkout = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** Compiled code is kept here, so that processes start quicker the second time. */
export const compileCache = join(checkout, 'node_modules', '.cache', 'node-compile');
