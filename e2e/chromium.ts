/**
 * Debian's Chromium, where it is installed: rather the headless shell, which has the same engine and
 * needs half the processor time.
 */
import { existsSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
} from 'playwright-core';

export type { Page } from 'playwright-core';

const executablePath = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
].find(existsSync);

export const hasChromium = executablePath !== undefined;

const options = {
  executablePath: executablePath!,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
};

export const launchChromium = (): Promise<Browser> => chromium.launch(options);

/** Chromium whose profile is a folder: it has the same stores when it is opened again. */
export const openProfile = (
  folder: string,
  { args, ...more }: BrowserContextOptions & { readonly args: readonly string[] },
): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, {
    ...more,
    ...options,
    args: [...options.args, ...args],
  });
