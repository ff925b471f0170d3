/** Documented members of `details`, by error code. The API may add codes. */
export interface ErrorDetails {
  /** `field` is a dotted path, such as `pickup.address`. */
  ADDRESS_NOT_RESOLVED: { readonly field: string };
  LOCATION_NOT_FOUND: { readonly field: string };
  /** `order_id` is the order that has the `external_id`. */
  DUPLICATE_EXTERNAL_ID: { readonly field: string; readonly order_id: string };
  /** `blocking_event` is the event that began custody or cancelled the order. */
  CANCEL_NOT_ALLOWED: {
    readonly status: string;
    readonly blocking_event: { readonly type: string; readonly ts_utc: string } | null;
  };
  ILLEGAL_TRANSITION: { readonly status: string };
  INSUFFICIENT_SCOPE: { readonly required_scope: string };
  NOT_FOUND: { readonly resource?: string };
}

export type DetailsOf<Code extends string> = Code extends keyof ErrorDetails
  ? ErrorDetails[Code]
  : unknown;
