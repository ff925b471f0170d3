import type { Chart, Shape } from '../chart/chart.ts';
import { palette } from '../palette.ts';
import type { Sheet, TextStyle } from './sheet.ts';

const lines = {
  grid: { width: 0.5, color: palette.line },
  axis: { width: 0.8, color: palette.quiet },
  limit: { width: 1, color: palette.limit },
};
const texts = { label: palette.quiet, limit: palette.limit, excursion: palette.excursion };

/** Draws a chart as vectors. */
export const drawChart = (sheet: Sheet, { height, shapes }: Chart): void => {
  sheet.need(height);
  const top = sheet.y();
  for (const shape of shapes) drawShape(sheet, shape, top);
  sheet.skip(height);
};

const drawShape = (sheet: Sheet, shape: Shape, top: number): void => {
  const { doc, left } = sheet;
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
      if (role === 'limit') doc.dash(4, { space: 3 });
      doc.stroke(color).restore();
      return;
    }
    case 'text': {
      const style: TextStyle = { size: 7.5, color: texts[shape.role] };
      const width = sheet.faces.regular.widthOf(shape.text, style.size);
      const x = left + shape.x - { start: 0, middle: width / 2, end: width }[shape.anchor];
      // the baseline of Noto Sans is 1.07 em below the top of a line
      sheet.put(shape.text, x, top + shape.y - 1.07 * style.size, style);
    }
  }
};
