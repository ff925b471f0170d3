/** Runs work in a program whose global `crypto` is another value: undefined on a page without HTTPS. */
export const withCrypto = async <T>(value: unknown, work: () => Promise<T>): Promise<T> => {
  const original = Object.getOwnPropertyDescriptor(globalThis, 'crypto')!;
  Object.defineProperty(globalThis, 'crypto', { value, configurable: true });
  try {
    return await work();
  } finally {
    Object.defineProperty(globalThis, 'crypto', original);
  }
};
