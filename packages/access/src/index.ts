/**
 * What the gateway and the operators service must read in the same way: keys and their tables, client
 * addresses and the log of requests.
 */
export {
  derivedApiKey,
  derivedSecret,
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
export {
  ApiKeyEntity,
  CredentialEntity,
  OrderLinkEntity,
  type OrderSide,
  OrganizationEntity,
  orderSides,
  PortalSessionEntity,
} from './credential-entities.ts';
export { accuracyMaxM, readCircles, returnTurn, storeCircle, takeTurn } from './positions.ts';
export { errorLines, loggedErrors, type RequestError } from './request-errors.ts';
export {
  disconnectedStatus,
  type LoggedMethod,
  listRequests,
  loggedMethods,
  RequestEntity,
  type RequestFilter,
  requestLogDays,
  statusFilterForm,
} from './request-log.ts';

/** Redis channel that reports a changed key or organization. The message is empty. */
export const credentialsChanged = 'gateway:credentials-changed';
