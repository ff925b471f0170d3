import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { createContext, type Module, SourceTextModule } from 'node:vm';
import { expect, test } from '@jest/globals';
import type * as Verifier from '../src/index.ts';
import { proof } from './samples/a-proof.ts';

/** The modules, loaded as a page loads them: types stripped, `#sha256` mapped, nothing of Node. */
const inBrowser = async (globals: object): Promise<typeof Verifier> => {
  const names = ['TextEncoder', 'TextDecoder', 'atob', 'btoa', 'Uint8Array'] as const;
  const known = Object.fromEntries(names.map((name) => [name, globalThis[name]]));
  const context = createContext({ ...known, ...globals });
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
    if (specifier === '#sha256') return load(new URL('../src/hash/sha256.ts', import.meta.url));
    if (!specifier.startsWith('.')) throw new Error(`${identifier} imports ${specifier}`);
    return load(new URL(specifier, identifier)) as Module;
  });
  await index.evaluate();
  return index.namespace as typeof Verifier;
};

test('without Buffer, process or any module of Node, by its own SHA-256', async () => {
  const { verifyProof } = await inBrowser({ crypto });
  expect(await verifyProof(JSON.stringify(proof))).toMatchObject({
    verdict: 'consistent',
    entries: 3,
  });
  const trustedKeys = [proof.keys[0]!.vkey];
  expect(await verifyProof(JSON.stringify(proof), { trustedKeys })).toMatchObject({
    verdict: 'proven',
  });
  const edited = JSON.stringify(proof).replace('S-1042', 'S-1043');
  expect(await verifyProof(edited)).toMatchObject({ verdict: 'invalid', index: 0 });
});

test.each([
  ['has no crypto.subtle', {}],
  [
    'does not know Ed25519',
    {
      crypto: {
        subtle: { importKey: () => Promise.reject(new DOMException('', 'NotSupportedError')) },
      },
    },
  ],
])('a browser that %s proves nothing, and says why', async (_, globals) => {
  const { verifyProof } = await inBrowser(globals);
  const trustedKeys = [proof.keys[0]!.vkey];
  expect(await verifyProof(JSON.stringify(proof), { trustedKeys })).toMatchObject({
    verdict: 'consistent',
    headline: 'Consistent, but the signer is unknown: this program cannot check signatures.',
    log: { signer: 'unchecked', key: null },
  });
});
