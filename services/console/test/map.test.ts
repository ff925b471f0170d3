import { expect, test } from '@jest/globals';
import { drawMap } from '../src/map/draw-map.ts';

const berlin = { lat: 52.52, lng: 13.4, name: 'Berlin' };
const munich = { lat: 48.14, lng: 11.58, name: 'München' };
const draw = (from = berlin, to = munich) => drawMap({ from, to, theme: 'light' });
const namesOf = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, name]) => name);

test('a map shows both places, and the countries around them by name', () => {
  const names = namesOf(draw());
  expect(names).toEqual(expect.arrayContaining(['Berlin', 'München', 'Germany', 'Czechia']));
  expect(names).not.toContain('Brazil');
});

test('two places of one town have one name', () => {
  const svg = draw(berlin, { ...berlin, lng: 13.34 });
  expect(namesOf(svg).filter((name) => name === 'Berlin')).toHaveLength(1);
});

test('no two names lie over each other on a map of the world', () => {
  const svg = draw(berlin, { lat: -33.9, lng: 151.2, name: 'Sydney' });
  const places = [...svg.matchAll(/<text x="([\d.-]+)" y="([\d.-]+)"[^>]*>([^<]*)</g)].map(
    ([, x, y, name]) => ({ x: Number(x), y: Number(y), half: (name!.length * 7) / 2 }),
  );
  expect(places.length).toBeGreaterThan(5);
  for (const [n, a] of places.entries())
    for (const b of places.slice(n + 1))
      expect(Math.abs(a.y - b.y) > 10 || Math.abs(a.x - b.x) > a.half + b.half).toBe(true);
});

test.each([
  { lat: 90, lng: 0, name: 'a pole' },
  { lat: -90, lng: 180, name: 'the other' },
  { lat: -18.1, lng: 178.4, name: 'Suva' },
  { lat: 0, lng: -180, name: 'the date line' },
])('$name is on the map', (place) => {
  const svg = draw(berlin, place);
  expect(namesOf(svg)).toContain(place.name);
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  expect(svg.length).toBeLessThan(300_000);
});

test('the name of a place is never markup, nor a character that XML forbids', () => {
  const name = '</text><script>alert(1)</script>\u0000\u202E"&\uD800\uFFFF';
  const svg = draw({ ...berlin, name });
  expect(svg).not.toContain('<script');
  expect(svg).toContain('&#60;script&#62;');
  for (const forbidden of ['\u0000', '\u202E', '\uFFFF']) expect(svg).not.toContain(forbidden);
  expect(svg.isWellFormed()).toBe(true);
});
