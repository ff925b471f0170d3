/** Lengths are in points; y grows downward. */
export interface Chart {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
}

export type Shape =
  | {
      readonly kind: 'rect';
      readonly role: 'range' | 'excursion' | 'outside';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
    }
  | {
      readonly kind: 'line';
      readonly role: 'grid' | 'axis' | 'limit' | 'custody';
      readonly x1: number;
      readonly y1: number;
      readonly x2: number;
      readonly y2: number;
    }
  /** A line through points of x and y. */
  | { readonly kind: 'curve'; readonly points: readonly (readonly [number, number])[] }
  | {
      readonly kind: 'text';
      readonly role: 'label' | 'limit' | 'excursion';
      /** Position of the anchor on the baseline. */
      readonly x: number;
      readonly y: number;
      readonly anchor: 'start' | 'middle' | 'end';
      readonly text: string;
    };
