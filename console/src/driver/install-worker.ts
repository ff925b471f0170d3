/** The one script that the page starts (Trusted Types, policy `worker`). */
const path = '/driver-worker.js';

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL(text: string): string },
  ): { createScriptURL(text: string): string };
}

/** Installs the worker that serves the page without a network. A browser without workers goes on. */
export const installWorker = (): void => {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  const rules = { createScriptURL: () => path };
  const url = trustedTypes?.createPolicy('worker', rules).createScriptURL(path) ?? path;
  void navigator.serviceWorker?.register(url, { scope: '/driver' }).catch(() => {});
};
