const labelMax = 120;

/**
 * Returns the label of a location for which the partner gave no label: the address, cut to 120
 * characters (decision 12). Documents and pages do not repeat it beside the address.
 */
export const addressLabel = (address: {
  readonly street?: unknown;
  readonly zip?: unknown;
  readonly city?: unknown;
}): string => [...`${address.street}, ${address.zip} ${address.city}`].slice(0, labelMax).join('');
