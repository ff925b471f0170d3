/** A private certificate authority, for machines and tests without another one. */
export { type CertificateRequest, issueCertificate } from './certificate.ts';
export { type IdentityFiles, identityFiles, issueIdentities } from './identities.ts';
