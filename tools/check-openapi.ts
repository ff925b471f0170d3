/**
 * The OpenAPI document, built from the table of routes: sound by two linters, and nothing broken
 * since the last release. `--release` writes it as the new last release instead.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { openapiDocument } from '../services/gateway/src/openapi/document.ts';
import { routeTable } from '../services/gateway/src/routes/table.ts';
import { breaks } from './openapi-compatibility.ts';
import { lint } from './openapi-lint.ts';

const released = new URL('../services/gateway/openapi/v1.json', import.meta.url);
// handlers are never called here, so there need be nobody behind them
const document = openapiDocument(routeTable({} as never, 'sandbox'));
const text = `${JSON.stringify(document, null, 2)}\n`;
const last = readFileSync(released, 'utf8');

const faults = [
  ...(await lint(text)),
  ...breaks(JSON.parse(last), document).map((fault) => `breaks v1 (decision 50): ${fault}`),
];
for (const fault of faults) process.stdout.write(`${fault}\n`);
if (faults.length > 0) process.exit(1);
if (process.argv.includes('--release')) writeFileSync(released, text);
else if (text !== last)
  process.stdout.write('the document says more than v1.json: npm run release:openapi writes it\n');
