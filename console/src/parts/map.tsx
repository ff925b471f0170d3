interface Place {
  readonly city: string;
  readonly lat?: number | undefined;
  readonly lng?: number | undefined;
}

/** The way from pick-up to drop-off, if both have coordinates. The console's server draws it. */
export const OrderMap = ({
  order: { pickupLocation: from, dropoffLocation: to },
}: {
  order: {
    readonly pickupLocation?: Place | undefined;
    readonly dropoffLocation?: Place | undefined;
  };
}) => {
  const [start, end] = [placeOf(from), placeOf(to)];
  if (start === undefined || end === undefined) return null;
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const query = new URLSearchParams({ from: start, to: end, theme: isDark ? 'dark' : 'light' });
  return (
    <img
      className="map"
      src={`/map.svg?${query}`}
      alt={`Map: from ${from?.city} to ${to?.city}`}
      width={640}
      height={260}
    />
  );
};

const placeOf = (location: Place | undefined): string | undefined =>
  location?.lat === undefined || location.lng === undefined
    ? undefined
    : `${location.lat},${location.lng},${location.city}`;
