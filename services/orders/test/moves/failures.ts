import { Failure } from '@pto/errors';

export const isFailure = (error: unknown): error is Failure => error instanceof Failure;

export const isHeld = { kind: 'ORGANIZATION_HELD' };
export const isLater = { kind: 'ILLEGAL_TRANSITION' };
