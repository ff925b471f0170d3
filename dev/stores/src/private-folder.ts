import { chmodSync, mkdirSync } from 'node:fs';

/**
 * Makes a folder that only this user may enter (mode 0700), also where it exists with other rights:
 * logs, mails and messages contain what partners have sent.
 */
export const makePrivateFolder = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
};
