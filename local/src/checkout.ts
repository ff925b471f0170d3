import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root folder of the project. */
export const checkout = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** Folder of Node's compile cache, so that later starts are faster. */
export const compileCache = join(checkout, 'node_modules', '.cache', 'node-compile');
