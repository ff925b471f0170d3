/**
 * Compares the OpenAPI document with that of the last release (decision 50). `--release` writes it
 * as the last release, if it breaks nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { breaks } from './compatibility.ts';
import { document, documentText } from './gateway-document.ts';

const released = new URL('../../services/gateway/openapi/v1.json', import.meta.url);
const last = readFileSync(released, 'utf8');

const faults = breaks(JSON.parse(last), document);
for (const fault of faults) process.stdout.write(`breaks v1 (decision 50): ${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
else if (process.argv.includes('--release')) writeFileSync(released, documentText);
else if (documentText !== last)
  process.stdout.write('v1.json is not up to date: run npm run release:openapi\n');
