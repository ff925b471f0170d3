import { join } from 'node:path';
import { identityFiles, issueIdentities } from '@pto/authority';
import { type ProcessName, processNames } from '@pto/proto/callers';

const domain = 'partner-api.local';
const days = 825; // some systems reject a longer validity

/**
 * Issues a certificate for each process of this start. Receivers have another authority, so that a
 * receiver's certificate does not identify a process.
 * @returns the folder of the certificates.
 */
export const issueLocalIdentities = (dir: string): string => {
  const folder = join(dir, 'identities');
  const names = processNames.map((name) => [
    name,
    // The operator's command line connects to 127.0.0.1 and verifies that the certificate contains
    // this address.
    [`${name}.${domain}`, ...(name === 'operators' ? ['127.0.0.1'] : [])],
  ]);
  issueIdentities(folder, Object.fromEntries(names), days);
  return folder;
};

/** Returns a process's settings of mutual TLS. */
export const identity = (name: ProcessName, folder: string): Record<string, string> => {
  const { certFile, keyFile, caFile } = identityFiles(folder, name);
  return {
    TLS_CERT_FILE: certFile,
    TLS_KEY_FILE: keyFile,
    TLS_CA_FILE: caFile,
    TLS_IDENTITY_DOMAIN: domain,
  };
};
