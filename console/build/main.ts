/** Builds the web application: `node console/build/main.ts FOLDER`. */
import { buildConsole } from './build-console.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node console/build/main.ts FOLDER');
await buildConsole(folder);
