import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateJson } from '../secrets/private-file.ts';

/**
 * Name of the file by which the launcher records that it has shown the demonstration order in this
 * folder.
 */
export const demoFile = 'demo.json';

export const wasShown = (dir: string): boolean => existsSync(join(dir, demoFile));

export const markShown = (dir: string, orderId: string): void =>
  writePrivateJson(join(dir, demoFile), { orderId });
