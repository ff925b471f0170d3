/** An address in its parts. */
export interface StructuredAddress {
  readonly street: string;
  readonly zip: string;
  readonly city: string;
  /** ISO 3166-1 alpha-2 code, or the text that the partner wrote. */
  readonly country: string;
}

export interface Place extends StructuredAddress {
  readonly lat: number;
  readonly lng: number;
}

/**
 * Resolves addresses. Null: the geocoder does not find the address.
 * @throws Failure GEOCODER_UNAVAILABLE if the server is unavailable or too slow (decision 11)
 */
export interface Geocoder {
  resolve(address: StructuredAddress, signal: AbortSignal): Promise<Place | null>;
  /** Resolves an address in one line of free text. */
  resolveText(line: string, signal: AbortSignal): Promise<Place | null>;
}
