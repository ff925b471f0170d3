import type { JsonObject, Position } from './order.ts';

/** Time, position and additional payload of a command (decision 30). */
export interface CommandMetadata {
  /** `YYYY-MM-DDTHH:mm:ss.sssZ`, or null for now. */
  readonly at: string | null;
  readonly position: Position | null;
  /** Members for the custody entry's payload, beside the command's own. */
  readonly payload: JsonObject | null;
}

/** Commands that carry nothing of their own. */
export interface PlainCommand {
  readonly name:
    | 'submit'
    | 'decline'
    | 'accept'
    | 'releaseDriver'
    | 'startPickup'
    | 'startTransport'
    | 'deliver'
    | 'close';
}

export type Command =
  | PlainCommand
  | { readonly name: 'assign'; readonly transportOrganization: string }
  | { readonly name: 'driver'; readonly driver: string }
  | { readonly name: 'seal'; readonly sealIds: readonly string[] }
  | { readonly name: 'cancel'; readonly reason: string }
  | { readonly name: 'incident' | 'escalate'; readonly note: string }
  | { readonly name: 'update'; readonly priceTotal?: string; readonly notes?: string };
