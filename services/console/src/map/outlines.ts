/** Outlines of the countries from Natural Earth (public domain), 1:50 and 1:110 million. */
import { geoBounds } from 'd3-geo';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import fine from 'world-atlas/countries-50m.json' with { type: 'json' };
import coarse from 'world-atlas/countries-110m.json' with { type: 'json' };

type Atlas = Topology<{ countries: GeometryCollection<{ name: string }> }>;

/** Returns each country, with the corners of the box around it in degrees. */
const countriesOf = (atlas: unknown) => {
  const topology = atlas as Atlas;
  return feature(topology, topology.objects.countries).features.map((country) => {
    const [[west, south], [east, north]] = geoBounds(country);
    return { country, name: country.properties.name, west, south, east, north };
  });
};

/** For a map of some countries, and for one of continents, whose fine outlines nobody would see. */
export const outlines = { fine: countriesOf(fine), coarse: countriesOf(coarse) } as const;
