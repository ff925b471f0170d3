/** One address of a host name. */
export interface LookedUp {
  readonly address: string;
  /** 4 or 6. */
  readonly family: number;
}
