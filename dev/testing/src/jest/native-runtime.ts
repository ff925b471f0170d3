/**
 * Jest's runtime that lets Node load the tests, with its type stripping and its module cache. Jest's
 * own loads all modules again for each test file, in a `vm` context of their own. That took a third
 * of the workers' time and kept the memory of each file.
 *
 * Files in one worker share their modules, so a module must not keep state that a test depends on.
 */
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type * as jestRuntime from 'jest-runtime';
import { setGlobals } from './globals.ts';

const require = createRequire(import.meta.url);
// TypeScript takes the default export of this CommonJS package for its namespace
const { default: JestRuntime } = require('jest-runtime') as typeof jestRuntime.default;
const globalsUrl = new URL('globals.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals'
      ? { url: globalsUrl, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
});

type Runtime = InstanceType<typeof JestRuntime>;

let files = 0;

export default class NativeRuntime extends JestRuntime {
  /** Loads jest-circus, whose module is the state of one file. */
  override requireInternalModule<T>(from: string): T {
    delete require.cache[from];
    return require(from) as T;
  }

  override setGlobalsForRuntime(globals: Parameters<Runtime['setGlobalsForRuntime']>[0]): void {
    super.setGlobalsForRuntime(globals);
    setGlobals(this.requireModuleOrMock(import.meta.filename, '@jest/globals'));
  }

  override unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  /** Loads a test file: it is evaluated each time, what it imports once. */
  override unstable_importModule(path: string): ReturnType<Runtime['unstable_importModule']> {
    return import(`${pathToFileURL(path).href}?file=${++files}`);
  }
}
