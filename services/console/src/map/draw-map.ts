import { geoMercator, geoPath } from 'd3-geo';
import { outlines } from './outlines.ts';
import { towns } from './towns.ts';

/** A place on the map, in degrees (WGS 84). */
export interface Place {
  readonly lat: number;
  readonly lng: number;
  readonly name: string;
}

/** Pixels of a map of one way. */
const waySize = [640, 260] as const;
const marginMax = 60;
/** Degrees that the map shows at least, so that a town has its country around it. */
const spanMin = 4;
/** A map of more degrees has coarse outlines. */
const fineSpanMax = 30;
/** Pixels of the ground for each name of a town. */
const townPixels = 15_000;
/** Pixels of a letter in a name, about, and of its line. */
const [letter, line] = [7, 15];
/** Pixels from a town to its name beside it, and to the line of one below, which leaves a marker free. */
const [besideTown, belowTown] = [8, 19];
/** Pixels between the points of a way that no name may cover. */
const wayStep = 5;
/** Mercator's projection ends before the poles. */
const latMax = 84;

const palettes = {
  light: {
    sea: '#eef3f8',
    land: '#ffffff',
    border: '#c3cdd8',
    text: '#56616e',
    town: '#1d242e',
    line: '#0b57a4',
  },
  dark: {
    sea: '#12161c',
    land: '#1d242e',
    border: '#3a4552',
    text: '#a3aebb',
    town: '#e3e8ee',
    line: '#8ab8f0',
  },
} as const;

export type Line = readonly [x: number, y: number, toX: number, toY: number];

/** What a map shows. */
export interface MapInput {
  readonly from: Place;
  readonly to: Place;
  readonly theme: keyof typeof palettes;
  /** Only the ground between the two places, with the largest towns, in this size. */
  readonly ground?: readonly [width: number, height: number] | undefined;
  /** Lines in pixels that are drawn on the ground, and whose ends have markers: no name lies on one. */
  readonly lines?: readonly Line[] | undefined;
}

/**
 * Draws the way from pick-up to drop-off as SVG: country outlines cut to the region, both places by
 * name, or the ground alone. Nothing is fetched for it, and the text of a place is data, never markup.
 */
export const drawMap = ({ from, to, theme, ground, lines = [] }: MapInput): string => {
  const size = ground ?? waySize;
  const [width, height] = size;
  const margin = Math.min(marginMax, width / 9);
  const colors = palettes[theme];
  const box = boxAround(from, to);
  const projection = geoMercator()
    .fitExtent(
      [
        [margin, margin],
        [width - margin, height - margin],
      ],
      { type: 'MultiPoint', coordinates: corners(box) },
    )
    .clipExtent([
      [0, 0],
      [width, height],
    ]);
  const path = geoPath(projection).digits(1);
  const span = Math.max(box.east - box.west, box.north - box.south);
  const seen = outlines[span > fineSpanMax ? 'coarse' : 'fine'].filter((one) => overlaps(one, box));
  const land = seen.map(({ country }) => path(country) ?? '').join('');
  const [start, end] = [from, to].map(({ lng, lat }) => projection([lng, clamp(lat)])!);
  const free = freePlaces(size, ground ? [] : [start!, end!], lines);
  const names = seen
    .map(({ country, name }) => ({ name, at: path.centroid(country), area: path.area(country) }))
    .sort((a, b) => b.area - a.area) // of two names at one place the larger country's stays
    .filter(({ name, at, area }) => area > (name.length * letter * line) / 2 && free(at, name))
    .map(({ name, at: [x, y] }) =>
      text(x, y, name, `fill="${colors.text}" font-size="12" text-anchor="middle" opacity="0.8"`),
    );
  const townsMax = (width * height) / townPixels;
  const shownTowns: { name: string; at: readonly [number, number]; label: Label }[] = [];
  for (const [name, lat, lng] of ground ? towns : []) {
    if (shownTowns.length >= townsMax) break;
    const at = projection([lng, lat])!;
    const label = free.dot(at)
      ? labelsOf(at, name).find(({ at: place }) => free(place, name))
      : undefined;
    if (!label) continue;
    free.takeDot(at);
    shownTowns.push({ name, at, label });
  }
  const dots = shownTowns.map(({ at }) => `M${point(at)}h0`).join('');
  const townNames = shownTowns.map(({ name, label: { at, x, anchor } }) =>
    text(x, at[1] + 4, name, `fill="${colors.town}" font-size="12" text-anchor="${anchor}"`),
  );
  const isSameTown =
    from.name === to.name && Math.hypot(start![0] - end![0], start![1] - end![1]) < line;
  const way = `<path d="M${point(start!)}L${point(end!)}" stroke="${colors.line}" stroke-width="2" stroke-dasharray="6 4"/>${marker(width, start!, from.name, end!, colors.line)}${marker(width, end!, isSameTown ? '' : to.name, start!, colors.line)}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif"><rect width="${width}" height="${height}" fill="${colors.sea}"/><path d="${land}" fill="${colors.land}" stroke="${colors.border}"/>${names.join('')}${ground ? `<path d="${dots}" stroke="${colors.town}" stroke-width="4" stroke-linecap="round"/>${townNames.join('')}` : way}</svg>`;
};

/** Where the name of a town may stand: the middle of its box, and how it is written there. */
interface Label {
  readonly at: readonly [number, number];
  readonly x: number;
  readonly anchor: 'start' | 'middle' | 'end';
}

/** The places of a name around its town, the best first. */
const labelsOf = ([x, y]: readonly [number, number], name: string): readonly Label[] => {
  const half = (name.length * letter) / 2;
  return [
    { at: [x, y + belowTown], x, anchor: 'middle' },
    { at: [x + besideTown + half, y], x: x + besideTown, anchor: 'start' },
    { at: [x - besideTown - half, y], x: x - besideTown, anchor: 'end' },
    { at: [x, y - belowTown], x, anchor: 'middle' },
  ];
};

interface Taken {
  readonly x: number;
  readonly y: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
}

/** The points of a line that keep names away; its ends have markers. */
const pointsOf = ([x, y, toX, toY]: Line): Taken[] => {
  const count = Math.ceil(Math.hypot(toX - x, toY - y) / wayStep);
  const end = { halfWidth: 24, halfHeight: 10 };
  return [
    ...Array.from({ length: count }, (_, n) => ({
      x: x + ((toX - x) * n) / count,
      y: y + ((toY - y) * n) / count,
      ...{ halfWidth: 2, halfHeight: 2 },
    })),
    { x, y, ...end },
    { x: toX, y: toY, ...end },
  ];
};

/** Returns a function that takes the place of a name, unless a name, a dot, a line or a marker has it. */
const freePlaces = (
  [width, height]: readonly [number, number],
  markers: readonly (readonly [number, number])[],
  lines: readonly Line[],
) => {
  const names: Taken[] = markers.map(([x, y]) => ({ x, y, halfWidth: 60, halfHeight: 2 * line }));
  const others = lines.flatMap(pointsOf);
  const isFree = (taken: readonly Taken[], x: number, y: number, halfWidth: number, high: number) =>
    taken.every(
      (other) =>
        Math.abs(other.x - x) > other.halfWidth + halfWidth ||
        Math.abs(other.y - y) > other.halfHeight + high,
    );
  const free = ([x, y]: readonly [number, number], name: string): boolean => {
    const halfWidth = (name.length * letter) / 2;
    const isInside = x > halfWidth && x < width - halfWidth && y > line && y < height - line;
    const near = line / 2;
    if (!isInside || !isFree(names, x, y, halfWidth, near)) return false;
    if (!isFree(others, x, y, halfWidth, near)) return false;
    names.push({ x, y, halfWidth, halfHeight: line / 2 });
    return true;
  };
  return Object.assign(free, {
    /** Whether a dot is inside there, and no name lies on it. */
    dot: ([x, y]: readonly [number, number]) =>
      x > line && x < width - line && y > line && y < height - line && isFree(names, x, y, 3, 3),
    takeDot: ([x, y]: readonly [number, number]) =>
      others.push({ x, y, halfWidth: 3, halfHeight: 3 }),
  });
};

const clamp = (lat: number): number => Math.max(-latMax, Math.min(latMax, lat));

interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Returns the box around two places, at least `spanMin` wide and high. */
const boxAround = (a: Place, b: Place): Box => {
  const [west, east] = widened(a.lng, b.lng);
  const [south, north] = widened(clamp(a.lat), clamp(b.lat));
  return { west, east, south: clamp(south), north: clamp(north) };
};

const widened = (a: number, b: number): [number, number] => {
  const grow = Math.max(0, spanMin - Math.abs(a - b)) / 2;
  return [Math.min(a, b) - grow, Math.max(a, b) + grow];
};

const corners = ({ west, south, east, north }: Box): [number, number][] => [
  [west, south],
  [west, north],
  [east, south],
  [east, north],
];

/** Whether a country may be seen around the box. One that crosses 180° has its west in the east. */
const overlaps = (country: Box, box: Box): boolean => {
  const beside = Math.max(box.east - box.west, spanMin) * 2;
  const above = Math.max(box.north - box.south, spanMin) * 2;
  if (country.north < box.south - above || country.south > box.north + above) return false;
  if (country.west > country.east) return true;
  return country.east >= box.west - beside && country.west <= box.east + beside;
};

const point = ([x, y]: readonly [number, number]): string => `${x.toFixed(1)},${y.toFixed(1)}`;

/** A dot with the place's name, above or below, away from the other place. */
const marker = (
  width: number,
  [x, y]: readonly [number, number],
  name: string,
  other: readonly [number, number],
  color: string,
): string => {
  const below = y > other[1] || (y === other[1] && x > other[0]);
  const anchor = x > width * 0.75 ? 'end' : x < width * 0.25 ? 'start' : 'middle';
  return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="5" fill="${color}"/>${text(x, y + (below ? 20 : -12), name, `fill="${color}" font-size="14" font-weight="600" text-anchor="${anchor}"`)}`;
};

const text = (x: number, y: number, content: string, attributes: string): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${escaped(content)}</text>`;

/** Returns the text for XML: no markup, and no character that XML forbids. */
const escaped = (content: string): string =>
  content
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\uFFFE\uFFFF]/gu, ' ')
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
