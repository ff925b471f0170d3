import type { Mutation } from '../mutation.ts';
import { ofServices } from './services.ts';
import { ofVerifiers } from './verifiers.ts';

const equivalents = [...ofServices, ...ofVerifiers];

export const isEquivalent = (mutation: Mutation): boolean =>
  equivalents.some((one) =>
    (['file', 'text', 'original', 'replacement'] as const).every(
      (part) => one[part] === mutation[part],
    ),
  );
