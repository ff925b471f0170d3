/** HTTP client for requests to receivers, with the guard of decision 44. */
export { parseAllowedRange } from './addresses/allowed-ranges.ts';
export { judgeAddress } from './addresses/judge-address.ts';
export { judgeUrl } from './addresses/judge-url.ts';
export type { EgressPolicy } from './addresses/policy.ts';
export { type ResolveHost, resolveHost, resolveHostBy } from './addresses/resolve-host.ts';
export { type Egress, openEgress } from './egress.ts';
export { EgressError, type EgressFault } from './egress-error.ts';
export { type EgressProxy, parseProxy } from './proxy.ts';
export { type PublicReason, publicFault, publicReason } from './public-reason.ts';
export { trust } from './trust.ts';
