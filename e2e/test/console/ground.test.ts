import { expect, test } from '@jest/globals';
import { groundOf, groupsOf } from '../../../console/src/parts/ground.ts';
import { drawMap } from '../../../services/console/src/map/draw-map.ts';

const named = (place: { lat: number; lng: number }) => ({ ...place, name: 'x' });

test.each([
  ['two cities', [52.52, 13.4], [48.14, 11.58]],
  ['one town', [52.52, 13.4], [52.53, 13.41]],
  ['two continents', [-33.9, 151.2], [60.2, 24.9]],
] as const)('places of %s are where the server draws them', (_, [lat, lng], [lat2, lng2]) => {
  const ground = groundOf([
    { lat, lng },
    { lat: lat2, lng: lng2 },
  ]);
  const corners = { from: named(ground.from), to: named(ground.to), theme: 'light' } as const;
  const drawn = [...drawMap(corners).matchAll(/cx="([\d.-]+)" cy="([\d.-]+)"/g)];
  for (const [n, corner] of [ground.from, ground.to].entries())
    for (const [axis, value] of ground.at(corner).entries())
      expect(Math.abs(value - Number(drawn[n]![axis + 1]))).toBeLessThan(0.2);
  expect(drawMap({ ...corners, ground: [640, 260] })).not.toMatch(/<circle|dasharray/);
});

test('what lies within some pixels is one group, in the place of its first', () => {
  const rows = [
    [0, 0],
    [100, 0],
    [5, 5],
    [0, 0],
  ] as const;
  const groups = groupsOf(rows, (row) => row, 10);
  expect(groups).toEqual([
    { at: [0, 0], rows: [rows[0], rows[2], rows[3]] },
    { at: [100, 0], rows: [rows[1]] },
  ]);
});

test('the ground has the names of its largest towns, in its size', () => {
  const ground = { from: named({ lat: 53, lng: 9 }), to: named({ lat: 48, lng: 14 }) };
  const wide = drawMap({ ...ground, theme: 'light', ground: [800, 480] });
  const narrow = drawMap({ ...ground, theme: 'light', ground: [360, 400] });
  expect(wide).toContain('viewBox="0 0 800 480"');
  for (const town of ['Berlin', 'München', 'Leipzig']) expect(wide).toContain(`>${town}<`);
  expect(narrow.match(/<text/g)!.length).toBeLessThan(wide.match(/<text/g)!.length);
  expect(drawMap({ ...ground, theme: 'light' })).not.toContain('Leipzig');
});
