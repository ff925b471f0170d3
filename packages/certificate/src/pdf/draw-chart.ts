import type { Shape } from '../chart/chart.ts';
import type { Block } from '../document.ts';
import { palette } from '../palette.ts';
import { baseline, type Canvas, type TextStyle } from './canvas.ts';

const lines = {
  grid: { width: 0.5, color: palette.line },
  axis: { width: 0.8, color: palette.quiet },
  limit: { width: 1, color: palette.limit },
  custody: { width: 0.8, color: palette.quiet },
};
const texts = {
  label: palette.quiet,
  limit: palette.limit,
  excursion: palette.excursion,
};

/** Draws a chart as vectors. */
export const drawChart = (canvas: Canvas, block: Extract<Block, { kind: 'chart' }>): void => {
  const { height, shapes } = block.chart;
  canvas.need(height);
  const top = canvas.y();
  const draw = () => {
    for (const shape of shapes) drawShape(canvas, shape, top);
  };
  canvas.tags.within('Figure', () => canvas.tags.mark(draw), { alt: block.name });
  canvas.skip(height);
};

const drawShape = (canvas: Canvas, shape: Shape, top: number): void => {
  const { doc, left } = canvas;
  switch (shape.kind) {
    case 'rect': {
      const { x, y, width, height, role } = shape;
      doc.rect(left + x, top + y, width, height).fill(palette[role]);
      return;
    }
    case 'line': {
      const { x1, y1, x2, y2, role } = shape;
      const { width, color } = lines[role];
      doc.save().moveTo(left + x1, top + y1);
      doc.lineTo(left + x2, top + y2).lineWidth(width);
      if (role === 'limit' || role === 'custody') doc.dash(4, { space: 3 });
      doc.stroke(color).restore();
      return;
    }
    case 'curve': {
      const [[x, y], ...others] = shape.points as [readonly [number, number]];
      doc.save().moveTo(left + x, top + y);
      for (const [toX, toY] of others as readonly (readonly [number, number])[])
        doc.lineTo(left + toX, top + toY);
      doc.lineWidth(1).lineJoin('round').stroke(palette.curve).restore();
      return;
    }
    case 'text': {
      const style: TextStyle = { size: 7.5, color: texts[shape.role] };
      const width = canvas.widthOf(shape.text, style);
      const x = left + shape.x - { start: 0, middle: width / 2, end: width }[shape.anchor];
      canvas.put(shape.text, x, top + shape.y - baseline * style.size, style);
    }
  }
};
