/** Other names of big cities: by country code, then by the city's name in the gazetteer. */
const otherNames: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  DE: {
    Munich: ['München'],
    Köln: ['Cologne'],
    Nürnberg: ['Nuremberg'],
    Hannover: ['Hanover'],
    Braunschweig: ['Brunswick'],
    'Frankfurt am Main': ['Frankfurt'],
    Mainz: ['Mayence'],
    Freiburg: ['Freiburg im Breisgau'],
    'Halle (Saale)': ['Halle'],
    'Ludwigshafen am Rhein': ['Ludwigshafen'],
    Offenbach: ['Offenbach am Main'],
  },
  AT: { Vienna: ['Wien'] },
  CH: {
    Genève: ['Genf', 'Geneva'],
    Bern: ['Berne'],
    Basel: ['Basle', 'Bâle'],
    Luzern: ['Lucerne'],
    Zürich: ['Zurich'],
  },
  CZ: { Prague: ['Praha', 'Prag'], Brno: ['Brünn'], Pilsen: ['Plzeň'] },
  PL: {
    Warsaw: ['Warszawa', 'Warschau'],
    Kraków: ['Krakau', 'Cracow'],
    Gdańsk: ['Danzig'],
    Wrocław: ['Breslau'],
    Poznań: ['Posen'],
    Szczecin: ['Stettin'],
  },
  IT: {
    Rome: ['Roma', 'Rom'],
    Milan: ['Milano', 'Mailand'],
    Turin: ['Torino'],
    Naples: ['Napoli', 'Neapel'],
    Florence: ['Firenze', 'Florenz'],
    Venice: ['Venezia', 'Venedig'],
    Genoa: ['Genova', 'Genua'],
  },
  FR: { Strasbourg: ['Straßburg'], Nice: ['Nizza'], Paris: [] },
  BE: {
    Brussels: ['Bruxelles', 'Brussel', 'Brüssel'],
    Antwerpen: ['Antwerp', 'Anvers'],
    Liège: ['Lüttich', 'Luik'],
  },
  NL: { 'The Hague': ['Den Haag', "'s-Gravenhage"] },
  DK: { Copenhagen: ['København', 'Kopenhagen'] },
  ES: { Seville: ['Sevilla'] },
  PT: { Lisbon: ['Lisboa', 'Lissabon'] },
  SE: { Göteborg: ['Gothenburg'] },
  HU: { Budapest: [] },
};

/** Returns the names of each city of a country. The partner's country may be any text. */
const citiesOf = (country: string): string[][] =>
  Object.entries((Object.hasOwn(otherNames, country) && otherNames[country]) || {}).map(
    ([name, others]) => [name, ...others],
  );

/** Returns the other names of a city, by its name in the gazetteer. */
export const namesBeside = (country: string, name: string): readonly string[] =>
  citiesOf(country)
    .find(([first]) => first === name)
    ?.slice(1) ?? [];

/** Returns all usual names of a town, whichever of them is given; the name itself if it has no other. */
export const usualNames = (country: string, name: string): readonly string[] => {
  const given = foldCity(name);
  return citiesOf(country).find((names) => names.some((one) => foldCity(one) === given)) ?? [name];
};

/** Returns a city's name without case, accents and punctuation, for a comparison of spellings. */
export const foldCity = (name: string): string =>
  name
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/ł/g, 'l')
    .replace(/ø/g, 'o')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Returns a name with `ae`, `oe` and `ue` for umlauts, as `Muenchen` for `München`. */
export const transliterate = (name: string): string =>
  name.replace(/[äÄ]/g, 'ae').replace(/[öÖ]/g, 'oe').replace(/[üÜ]/g, 'ue');
