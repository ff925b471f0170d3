/**
 * Checks the OpenAPI document by Redocly and Spectral, and compares it with that of the last release
 * (decision 50). `--release` writes it as the last release, if it breaks nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { breaks } from './compatibility.ts';
import { document, documentText } from './gateway-document.ts';
import { lint } from './lint.ts';

const released = new URL('../../services/gateway/openapi/v1.json', import.meta.url);
const last = readFileSync(released, 'utf8');

const faults = [
  ...breaks(JSON.parse(last), document).map((fault) => `breaks v1 (decision 50): ${fault}`),
  ...(await lint(documentText)),
];
for (const fault of faults) process.stdout.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
else if (process.argv.includes('--release')) writeFileSync(released, documentText);
else if (documentText !== last)
  process.stdout.write('v1.json is not up to date: run npm run release:openapi\n');
