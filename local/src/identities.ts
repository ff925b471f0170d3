import { join } from 'node:path';
import { identityFiles, issueIdentities } from '@pto/authority';
import { type ProcessName, processNames } from '@pto/proto/callers';

const domain = 'partner-api.local';
const days = 825; // more is refused by some systems

/**
 * Issues a certificate for each process of this start. The authority is not the receivers': who
 * has a receiver's certificate is no process of ours.
 * @returns the folder of the certificates.
 */
export const issueLocalIdentities = (dir: string): string => {
  const folder = join(dir, 'identities');
  const names = processNames.map((name) => [name, [`${name}.${domain}`]]);
  issueIdentities(folder, Object.fromEntries(names), days);
  return folder;
};

/** A process's settings of mutual TLS. */
export const identity = (name: ProcessName, folder: string): Record<string, string> => {
  const { certFile, keyFile, caFile } = identityFiles(folder, name);
  return {
    TLS_CERT_FILE: certFile,
    TLS_KEY_FILE: keyFile,
    TLS_CA_FILE: caFile,
    TLS_IDENTITY_DOMAIN: domain,
  };
};
