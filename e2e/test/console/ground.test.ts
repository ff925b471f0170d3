import { expect, test } from '@jest/globals';
import { groundOf } from '../../../console/src/parts/ground.ts';
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
  expect(drawMap({ ...corners, isGround: true })).not.toMatch(/<circle|dasharray/);
});
