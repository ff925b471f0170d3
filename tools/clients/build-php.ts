/** The PHP verifier as a zip, which Composer installs as an artifact. */
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fromRoot, run } from './run.ts';

const files = ['composer.json', 'verify.php', 'receiver.php', 'LICENSE'] as const;

/** @returns the path of the zip. */
export const buildPhpPackage = (staging: string, out: string): string[] => {
  mkdirSync(staging, { recursive: true });
  cpSync(fromRoot('verifiers/webhook-verifier/php'), staging, { recursive: true });
  cpSync(fromRoot('LICENSE'), join(staging, 'LICENSE'));
  const { version } = JSON.parse(readFileSync(join(staging, 'composer.json'), 'utf8'));
  const zip = join(out, `webhook-verifier-php-${version}.zip`);
  rmSync(zip, { force: true });
  run(staging, 'python3', '-m', 'zipfile', '-c', zip, ...files);
  return [zip];
};
