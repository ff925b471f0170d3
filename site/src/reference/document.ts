import { readFileSync } from 'node:fs';
import { sourceDocument } from '../../../services/gateway/src/openapi/document.ts';
import { root } from '../root.ts';

/** A schema of the document, as far as the reference shows it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Content {
  readonly 'application/json': { readonly schema: Schema; readonly example?: unknown };
}

export interface Response {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: Content;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-codeSamples'?: readonly { lang: string; label: string; source: string }[];
}

/** The OpenAPI document of this source, without an installation's own addresses. */
export const reference = sourceDocument() as unknown as {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
};

/** Returns the last part of a reference such as `#/components/schemas/Order`. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** Returns the changelog's sections as Markdown, without what concerns operators alone. */
export const changelogText = (): string =>
  readFileSync(`${root}CHANGELOG.md`, 'utf8')
    .replace(/^[\s\S]*?(?=^## )/m, '')
    .replace(/### For operators[\s\S]*?(?=\n## |$)/g, '');
