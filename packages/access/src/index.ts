/** What the gateway and the operators service must read in the same way: keys and client addresses. */
export { apiKeyName, type Environment, hashApiKey, newApiKey, readApiKey } from './api-key.ts';
export { hashSecret, isCheckedSecret, newCheckedSecret } from './checked-secret.ts';
export { clientAddress, isClientIn, isTrustedProxy } from './client-address.ts';
export { isScope, type Scope, scopes } from './scopes.ts';

/** Redis channel that reports a changed key or organization. The message is empty. */
export const credentialsChanged = 'gateway:credentials-changed';
