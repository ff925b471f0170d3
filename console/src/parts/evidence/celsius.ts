/** Returns a temperature in °C with at most 2 decimals. @throws TypeError for no number */
export const celsius = (value: number, unit: string): number => {
  const exact =
    unit === 'fahrenheit' ? (value - 32) / 1.8 : unit === 'kelvin' ? value - 273.15 : value;
  if (!Number.isFinite(exact)) throw new TypeError('no temperature');
  return Math.round(exact * 100) / 100;
};
