import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { hasChromium, launchChromium } from '../../../e2e/chromium.ts';
import type { Stage } from '../stage/rehearsal.ts';

const viewport = { width: 1440, height: 900 };

/** Takes a picture of each page of a folder, beside it; none where Chromium is missing. */
export const takePictures = async (stage: Stage, folder: string): Promise<void> => {
  if (!hasChromium) return stage.note('  no pictures: needs chromium');
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport });
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.html'))) {
      await page.goto(`file://${join(folder, name)}`);
      await page.screenshot({
        path: join(folder, name.replace(/html$/, 'png')),
        fullPage: true,
      });
    }
  } finally {
    await browser.close();
  }
};
