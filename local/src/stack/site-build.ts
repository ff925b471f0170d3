import type { SiteBuild } from '@pto/site';
import type { Progress } from '../progress.ts';

/**
 * Builds the documentation site beside the services that already serve, if its sources have changed.
 * @returns a function that ends the build.
 */
export const buildSite = (site: SiteBuild, progress: Progress): (() => Promise<void>) => {
  const end = new AbortController();
  const built = site.build(end.signal).catch((error: Error) => {
    if (!end.signal.aborted) progress.warn(error.message);
  });
  return async () => {
    end.abort();
    await built;
  };
};
