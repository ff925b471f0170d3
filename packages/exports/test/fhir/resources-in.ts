import type { JsonObject } from '../../src/order-record.ts';

/** A resource of a bundle as a partner parses it. */
// biome-ignore lint/suspicious/noExplicitAny: tests read members of many resources
export type Parsed = { readonly [member: string]: any };

/** Returns the resources of a type in a bundle. */
export const resourcesIn = (bundle: JsonObject, resourceType: string): readonly Parsed[] =>
  (JSON.parse(JSON.stringify(bundle)) as Parsed).entry
    .map((entry: Parsed) => entry.resource)
    .filter((resource: Parsed) => resource.resourceType === resourceType);
