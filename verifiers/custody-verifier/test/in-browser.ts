import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { createContext, type Module, SourceTextModule } from 'node:vm';
import type * as Verifier from '../src/index.ts';

/** The modules, loaded as a page loads them: types stripped, `#sha256` mapped, nothing of Node. */
export const inBrowser = async (globals: object): Promise<typeof Verifier> => {
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
