import { identityFiles, issueIdentities } from '@pto/authority';
import { type ProcessName, processNames } from '@pto/proto/callers';

const identityDomain = 'partner-api.test';

/** Issues a certificate for each process, once for all test files. */
export const issueTestIdentities = (folder: string): void => {
  const names = processNames.map((name) => [name, [`${name}.${identityDomain}`, 'localhost']]);
  issueIdentities(folder, Object.fromEntries(names), 2);
  process.env.PTO_TEST_IDENTITIES = folder;
};

/** Returns the TLS settings of a process in a test (decision 58). */
export const tlsOf = (name: ProcessName) => {
  const folder = process.env.PTO_TEST_IDENTITIES;
  if (!folder) throw new Error('no identities: run the tests through jest, from the root');
  const { certFile, keyFile, caFile } = identityFiles(folder, name);
  return {
    tlsCertFile: certFile,
    tlsKeyFile: keyFile,
    tlsCaFile: caFile,
    tlsIdentityDomain: identityDomain,
  };
};

/** Returns the TLS settings of a process in a test as environment variables. */
export const tlsEnvironment = (name: ProcessName): Record<string, string> => {
  const tls = tlsOf(name);
  return {
    TLS_CERT_FILE: tls.tlsCertFile,
    TLS_KEY_FILE: tls.tlsKeyFile,
    TLS_CA_FILE: tls.tlsCaFile,
    TLS_IDENTITY_DOMAIN: tls.tlsIdentityDomain,
  };
};
