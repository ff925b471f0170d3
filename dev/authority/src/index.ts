/** A private certificate authority, for machines and tests that have no other authority. */
export { type CertificateRequest, issueCertificate } from './certificate.ts';
export { type IdentityFiles, identityFiles, issueIdentities } from './identities.ts';
