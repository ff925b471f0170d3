import type { SiteBuild } from '@pto/site';
import type { Progress } from '../progress.ts';

/**
 * Starts to build the documentation site in the background, if its sources have changed. The
 * services already serve meanwhile.
 * @returns a function that aborts the build and waits for its end.
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
