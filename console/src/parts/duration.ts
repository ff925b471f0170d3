const day = 86_400;

/**
 * Returns a duration as every page and the certificate write it: `118 ms`, `1.48 s`, `3 min 30 s`,
 * `1 h 5 min 30 s`, and from a day on `2 d 3 h`.
 */
export const duration = (seconds: number): string => {
  if (seconds > 0 && seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 10) return `${Number(seconds.toFixed(2))} s`;
  const whole = Math.round(seconds);
  const parts = [
    [Math.floor(whole / day), 'd'],
    [Math.floor(whole / 3600) % 24, 'h'],
    [whole < day ? Math.floor(whole / 60) % 60 : 0, 'min'],
    [whole < day ? whole % 60 : 0, 's'],
  ] as const;
  return parts
    .filter(([value]) => value > 0)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(' ');
};
