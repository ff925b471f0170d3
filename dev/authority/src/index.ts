/** A private certificate authority, for machines and tests that have no other authority. */
export { issueCertificate } from './certificate.ts';
export { type IdentityFiles, identityFiles, issueIdentities } from './identities.ts';
