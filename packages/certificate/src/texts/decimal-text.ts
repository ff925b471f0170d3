/**
 * Returns a number with a decimal point and at most 6 decimals, never with an exponent: readings are
 * compared with limits in whole millionths.
 */
export const decimalText = (value: number): string =>
  value
    .toFixed(6)
    .replace(/\.?0+$/, '')
    .replace(/^-0$/, '0');
