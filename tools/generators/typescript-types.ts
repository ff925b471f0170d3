/** Types of the TypeScript client: what openapi-typescript makes of the requests and successes. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { document } from '../openapi/gateway-document.ts';

const methods = new Set(['get', 'post', 'patch', 'delete']);

/** The document with its 2xx responses alone: the client has error classes of its own. */
const withoutErrors = (): unknown => {
  const copy = JSON.parse(JSON.stringify(document));
  for (const operations of Object.values<Record<string, Operation>>(copy.paths))
    for (const [method, operation] of Object.entries(operations))
      if (methods.has(method)) operation.responses = successes(operation.responses);
  copy.webhooks = undefined;
  copy.components = { schemas: copy.components.schemas };
  return copy;
};

interface Operation {
  responses: Record<string, { headers?: unknown; content?: Record<string, Media> }>;
}

interface Media {
  schema: unknown;
}

const successes = (responses: Operation['responses']): Operation['responses'] =>
  Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, { headers, content, ...response }]) => [
        status,
        { ...response, ...(content && { content: withoutExamples(content) }) },
      ]),
  );

const withoutExamples = (content: Record<string, Media>): Record<string, Media> =>
  Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, { schema }]));

/** @returns the text of `clients/typescript/src/generated/schema.ts`. */
export const typescriptTypes = (): string => {
  const require = createRequire(import.meta.url);
  const generator = join(require.resolve('openapi-typescript/package.json'), '../bin/cli.js');
  const folder = mkdtempSync(join(tmpdir(), 'types-'));
  try {
    const [input, output] = [join(folder, 'openapi.json'), join(folder, 'schema.ts')];
    writeFileSync(input, JSON.stringify(withoutErrors()));
    const words = [generator, input, '-o', output];
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`openapi-typescript: ${stderr}`);
    return readFileSync(output, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
