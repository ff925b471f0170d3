/** A JSON value of an export. Members with the value `undefined` are absent. */
export type Json = string | number | boolean | null | undefined | JsonObject | readonly Json[];
export type JsonObject = { readonly [member: string]: Json };

/** A location of the order resource (contract 2.3), as far as the exports read it. */
export interface DossierLocation {
  readonly id: string;
  readonly label: string | null;
  readonly street: string;
  readonly zip: string;
  readonly city: string;
  readonly country: string;
  readonly lat: number | null;
  readonly lng: number | null;
}

export interface DossierItem {
  readonly goods_type: string;
  readonly seal_id: string | null;
}

/** The order resource (contract 2.1) as parsed JSON, as far as the exports read it. */
export interface DossierOrder {
  readonly id: string;
  readonly external_id: string | null;
  readonly status: string;
  readonly sla: string;
  readonly pickup_location: DossierLocation | null;
  readonly dropoff_location: DossierLocation | null;
  readonly dropoff_address_text: string | null;
  readonly pickup_window_start: string | null;
  readonly pickup_window_end: string | null;
  readonly items: readonly DossierItem[];
  readonly created_at: string;
  readonly updated_at: string | null;
  /** Permitted temperatures in °C. */
  readonly temperature_min?: number | null;
  readonly temperature_max?: number | null;
  /** Required methods of handovers, by stage. */
  readonly required_evidence?: { readonly [stage: string]: readonly string[] } | null;
}

/** One entry of the custody history (contract 2.4). */
export interface DossierEntry {
  readonly id: string;
  readonly type: string;
  readonly internal_type: string;
  readonly ts_utc: string;
  readonly gps_lat: number | null;
  readonly gps_lng: number | null;
  readonly payload: { readonly [field: string]: unknown } | null;
  readonly prev_event_hash: string;
  readonly event_hash: string;
  /** Values of the personal fields of the payload; an erased field is absent. */
  readonly disclosed?: { readonly [field: string]: { readonly value: unknown } };
}

/** What an export is made from: an order and its custody history, oldest entry first. */
export interface Dossier {
  readonly order: DossierOrder;
  readonly custody: { readonly entries: readonly DossierEntry[] };
}

/**
 * Returns the time of the last entry, or of the order's last change if there is no entry. An export
 * has this time as its own, so that the same dossier gives the same bytes.
 */
export const timeOf = ({ order, custody }: Dossier): string =>
  custody.entries.at(-1)?.ts_utc ?? order.updated_at ?? order.created_at;
