import type { Tone } from './document.ts';

/** Colors of both forms of a certificate. Each text has a contrast of at least 4.5:1. */
export const palette = {
  ink: '#1b2430',
  quiet: '#52606d',
  line: '#c5ced8',
  shade: '#f1f4f7',
  limit: '#1f4e8c',
  range: '#9dbbe0',
  excursion: '#b3261e',
  outside: '#aab4bf',
  curve: '#1f4e8c',
} as const;

/** Colors of notices: text and border, and the background. */
export const tones: Readonly<Record<Tone, readonly [ink: string, shade: string]>> = {
  proven: ['#17603a', '#e8f4ec'],
  unproven: ['#7a4b00', '#fdf3e0'],
  invalid: ['#8c1d18', '#fbe9e7'],
  warning: ['#8c1d18', '#fbe9e7'],
  plain: ['#1b2430', '#f1f4f7'],
};
