import type { components } from '../../../clients/typescript/src/generated/schema.ts';

/** The partners' JSON, in which pages of both audiences have their data. */
export type Schemas = components['schemas'];
