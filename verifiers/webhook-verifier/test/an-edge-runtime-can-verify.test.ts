import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { createContext, type Module, SourceTextModule } from 'node:vm';
import { expect, test } from '@jest/globals';
import type * as Verifier from '../src/index.ts';
import { sealed } from './deliveries/bodies.ts';
import { secret, signed, t } from './deliveries/sign.ts';

/** The modules as a worker or a page has them: types stripped, standard globals, nothing of Node. */
const atTheEdge = async (): Promise<typeof Verifier> => {
  const context = createContext({ crypto, TextEncoder, TextDecoder, ArrayBuffer, Uint8Array });
  const loaded = new Map<string, SourceTextModule>();
  const load = (url: URL): SourceTextModule => {
    const known = loaded.get(url.href);
    if (known) return known;
    const source = stripTypeScriptTypes(readFileSync(url, 'utf8'));
    const module = new SourceTextModule(source, { context, identifier: url.href });
    loaded.set(url.href, module);
    return module;
  };
  const index = load(new URL('../src/index.ts', import.meta.url));
  await index.link((specifier, { identifier }) => {
    if (!specifier.startsWith('.')) throw new Error(`${identifier} imports ${specifier}`);
    return load(new URL(specifier, identifier)) as Module;
  });
  await index.evaluate();
  return index.namespace as typeof Verifier;
};

test('without Buffer, process or any module of Node, by its own WebCrypto', async () => {
  const { verify } = await atTheEdge();
  const body = JSON.stringify(sealed);
  const call = { header: signed(body), secrets: [secret], now: t };
  const rawBody = new TextEncoder().encode(body).buffer; // as Request.arrayBuffer() gives it
  expect(await verify({ ...call, rawBody })).toMatchObject({ valid: true, event: sealed });
  const changed = new TextEncoder().encode(body.replace('"sealed"', '"closed"')).buffer;
  expect(await verify({ ...call, rawBody: changed })).toMatchObject({
    valid: false,
    reason: 'no_signature_matches',
  });
});
