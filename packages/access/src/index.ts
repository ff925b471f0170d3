/** What the gateway and the operators service must read in the same way: keys and client addresses. */
export {
  type Environment,
  hashSecret,
  hashText,
  isCheckedSecret,
  isScope,
  newApiKey,
  newCheckedSecret,
  readApiKey,
  type Scope,
  scopes,
} from './api-key.ts';
export { type Client, clientAddress, isClientIn, isTrustedProxy } from './client-address.ts';

/** Redis channel that reports a changed key or organization. The message is empty. */
export const credentialsChanged = 'gateway:credentials-changed';
