/** An address in its parts. */
export interface StructuredAddress {
  readonly street: string;
  readonly zip: string;
  readonly city: string;
  /** ISO 3166-1 alpha-2, or as the partner wrote it. */
  readonly country: string;
}

export interface Place extends StructuredAddress {
  readonly lat: number;
  readonly lng: number;
}

/**
 * Finds addresses. Null: there is no such address. A server that is down or too slow is
 * GEOCODER_UNAVAILABLE (decision 11).
 */
export interface Geocoder {
  resolve(address: StructuredAddress, signal: AbortSignal): Promise<Place | null>;
  /** One line of free text. */
  resolveText(line: string, signal: AbortSignal): Promise<Place | null>;
}
