import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IdentityFiles, identityFiles, issueIdentities } from '@pto/authority';

/** A certificate authority and a certificate from it, for servers and clients in tests. */
export interface Authority extends IdentityFiles {
  readonly cert: string;
  readonly key: string;
  forget(): void;
}

/**
 * Creates a CA and a certificate for tests.
 * @param names subject alternative names.
 * @param days validity of both certificates.
 */
export const makeAuthority = (
  names: readonly string[] = ['localhost', '127.0.0.1'],
  days = 2,
): Authority => {
  const dir = mkdtempSync(join(tmpdir(), 'pto-authority-'));
  issueIdentities(dir, { test: names }, days);
  const files = identityFiles(dir, 'test');
  return {
    ...files,
    cert: readFileSync(files.certFile, 'utf8'),
    key: readFileSync(files.keyFile, 'utf8'),
    forget: () => rmSync(dir, { recursive: true, force: true }),
  };
};
