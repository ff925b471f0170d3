/** One address of a host name. */
export interface LookedUp {
  readonly address: string;
  /** IP version, 4 or 6. */
  readonly family: number;
}
