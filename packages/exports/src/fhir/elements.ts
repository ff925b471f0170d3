/** Builders of the FHIR R4 data types that several resources use. */

import { namespace, uuid5, uuidUri } from '../identifiers.ts';
import type { Json, JsonObject } from '../order-record.ts';

/** A resource of the bundle. The id is the same for the same order. */
export interface Resource extends JsonObject {
  readonly resourceType: string;
  readonly id: string;
}

/**
 * Returns a resource.
 * @param within the UUID of the order or entry that the resource describes.
 * @param summary what a reader without software for the members sees: no more than these have.
 * @param role distinguishes the resources of one type that describe the same.
 */
export const resource = (
  resourceType: string,
  within: string,
  summary: string,
  members: JsonObject,
  role = '',
): Resource => ({
  resourceType,
  id: idOf(resourceType, within, role),
  text: { status: 'generated', div: `<div xmlns="${xhtml}">${escaped(summary)}</div>` },
  ...members,
});

const xhtml = 'http://www.w3.org/1999/xhtml';
const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Returns a text as content of XHTML, which has no control characters. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\ufffe\uffff]/gu, ' ')
    .replace(/[&<>]/g, (character) => references[character]!);

const idOf = (resourceType: string, within: string, role = ''): string =>
  uuid5(within, role === '' ? resourceType : `${resourceType} ${role}`);

/** Returns a reference to a resource by what `resource` was called with. */
export const reference = (resourceType: string, within: string, role = ''): JsonObject => ({
  reference: uuidUri(idOf(resourceType, within, role)),
  type: resourceType,
});

/** Returns an identifier that is a URI. */
export const uriIdentifier = (value: string): JsonObject => ({
  system: 'urn:ietf:rfc:3986',
  value,
});

/** Returns a concept of a code system of ours. */
export const concept = (system: string, code: string): JsonObject => ({
  coding: [coding(system, code)],
  text: code,
});

export const coding = (system: string, code: string): JsonObject => ({
  system: `${namespace}${system}`,
  code,
});

/** Returns the list, or undefined for an empty one: FHIR has no empty arrays. */
export const list = <Element extends Json>(
  elements: readonly Element[],
): readonly Element[] | undefined => (elements.length > 0 ? elements : undefined);
