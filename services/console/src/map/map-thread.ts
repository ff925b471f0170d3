/** The thread that draws maps. */
import { serveThread } from '@pto/concurrency';
import { drawMap, type MapInput } from './draw-map.ts';

serveThread(async (input: MapInput) => drawMap(input));
