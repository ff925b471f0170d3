import type { JsonObject, Position } from './order.ts';

/** Time, position and additional payload of a command (decision 30). */
export interface CommandMetadata {
  /** Time of the command, `YYYY-MM-DDTHH:mm:ss.sssZ`; null: the time of its processing. */
  readonly at: string | null;
  readonly position: Position | null;
  /** Additional members for the custody entry's payload. */
  readonly payload: JsonObject | null;
}

/** Commands without parameters of their own. */
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
