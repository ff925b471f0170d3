/** The one way out to receivers, guarded (decision 44). */
export { parseAllowedRange } from './allowed-ranges.ts';
export { type Egress, openEgress } from './egress.ts';
export { EgressError, type EgressFault } from './egress-error.ts';
export { judgeAddress } from './judge-address.ts';
export { judgeUrl } from './judge-url.ts';
export type { EgressPolicy } from './policy.ts';
export { type EgressProxy, parseProxy } from './proxy.ts';
export { type PublicReason, publicFault, publicReason } from './public-reason.ts';
export { type ResolveHost, resolveHost, resolveHostBy } from './resolve-host.ts';
export { trust } from './trust.ts';
