/** What `@jest/globals` is in a test: the functions of the file that the worker is running. */
import type * as jestGlobals from '@jest/globals';

type Globals = typeof jestGlobals;

let current: Globals;

export const setGlobals = (globals: Globals): void => {
  current = globals;
};

/** Helpers are loaded once for all files, so what they import leads to the current file's. */
const delegate = <K extends keyof Globals>(name: K): Globals[K] =>
  new Proxy((() => {}) as unknown as Globals[K] & object, {
    apply: (_, self, given) => Reflect.apply(current[name] as () => unknown, self, given),
    get: (_, property) => Reflect.get(current[name] as object, property),
  });

export const afterAll = delegate('afterAll');
export const afterEach = delegate('afterEach');
export const beforeAll = delegate('beforeAll');
export const beforeEach = delegate('beforeEach');
export const describe = delegate('describe');
export const expect = delegate('expect');
export const jest = delegate('jest');
export const test = delegate('test');
