import type { Block } from '../document.ts';
import { palette } from '../palette.ts';
import { type Canvas, type Lines, lineHeight, type TextStyle } from './canvas.ts';
import type { OpenElement } from './tags.ts';

type Table = Extract<Block, { kind: 'table' }>;

const style: TextStyle = { size: 7.8, color: palette.ink };
const bold: TextStyle = { ...style, weight: 'bold' };
const padding = 3;

/** Draws a table; the headings stand on each page. A row that fits on one page is not divided. */
export const drawTable = (canvas: Canvas, table: Table): void => {
  canvas.need(Math.min(startHeight(canvas, table), canvas.pageHeight / 2));
  canvas.tags.within('Table', () => drawRows(canvas, table), { alt: table.name });
  canvas.skip(4);
};

/** Returns the height of the headings and the first row, which a heading before stays with. */
export const startHeight = (canvas: Canvas, { columns, rows }: Table): number => {
  const [first = []] = rows;
  const heightIn = (cells: readonly (readonly string[])[], of: TextStyle) =>
    heightOf(
      cells.map((cell, n) => {
        const width = columns[n]!.share * canvas.width - 2 * padding;
        return cell.flatMap((line) => canvas.wrap(line, width, of));
      }),
    );
  const headings = columns.map(({ heading }) => [heading]);
  return heightIn(headings, bold) + (first.length > 0 ? heightIn(first, style) : 0);
};

const drawRows = (canvas: Canvas, { columns, rows }: Table): void => {
  const { tags } = canvas;
  const widths = columns.map(({ share }) => share * canvas.width);
  const wrapped = (cell: readonly string[], column: number, of: TextStyle): Lines =>
    cell.flatMap((line) => canvas.wrap(line, widths[column]! - 2 * padding, of));
  const headings = columns.map(({ heading }, n) => wrapped([heading], n, bold));
  const drawHeadings = (cells: readonly OpenElement[] | null) => {
    tags.decorate(() => {
      canvas.doc
        .rect(canvas.left, canvas.y(), canvas.width, heightOf(headings))
        .fill(palette.shade);
    });
    drawCells(canvas, widths, headings, bold, cells);
  };
  // headings on a further page are no content again
  const repeatHeadings = () => tags.decorate(() => drawHeadings(null));
  inRow(canvas, columns.length, true, drawHeadings);
  for (const row of rows)
    inRow(canvas, row.length, false, (elements) => {
      let cells = row.map((cell, n) => wrapped(cell, n, style));
      if (heightOf(cells) <= canvas.pageHeight - heightOf(headings)) {
        if (canvas.need(heightOf(cells))) repeatHeadings();
        drawCells(canvas, widths, cells, style, elements);
        return;
      }
      while (cells.some((lines) => lines.length > 0)) {
        if (canvas.need(heightOf([['']]))) repeatHeadings();
        const fitting = Math.floor((canvas.remaining() - 2 * padding) / lineHeight(style));
        const part = cells.map((lines) => lines.slice(0, fitting));
        drawCells(canvas, widths, part, style, elements);
        cells = cells.map((lines) => lines.slice(fitting));
      }
    });
};

/** Opens a row and its cells, so that they can be drawn in parts. The first cell is the heading. */
const inRow = (
  { tags }: Canvas,
  count: number,
  isHeading: boolean,
  draw: (cells: readonly OpenElement[]) => void,
): void => {
  tags.within('TR', () => {
    const cells = Array.from({ length: count }, (_, n) => {
      if (isHeading) return tags.open('TH', { scope: 'Column' });
      return n === 0 ? tags.open('TH', { scope: 'Row' }) : tags.open('TD');
    });
    draw(cells);
    for (const cell of cells) cell.end();
  });
};

const heightOf = (cells: readonly Lines[]): number =>
  Math.max(...cells.map((lines) => lines.length)) * lineHeight(style) + 2 * padding;

/** @param elements of the cells; null within a decoration. */
const drawCells = (
  canvas: Canvas,
  widths: readonly number[],
  cells: readonly Lines[],
  of: TextStyle,
  elements: readonly OpenElement[] | null,
): void => {
  let x = canvas.left;
  cells.forEach((lines, column) => {
    const draw = () =>
      lines.forEach((line, n) => {
        canvas.put(line, x + padding, canvas.y() + padding + n * lineHeight(of), of);
      });
    if (elements) elements[column]!.inside(draw);
    else draw();
    x += widths[column]!;
  });
  canvas.skip(heightOf(cells));
  canvas.tags.decorate(() => {
    const y = canvas.y();
    canvas.doc.moveTo(canvas.left, y).lineTo(canvas.left + canvas.width, y);
    canvas.doc.lineWidth(0.4).stroke(palette.line);
  });
};
