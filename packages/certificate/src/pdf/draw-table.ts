import type { Block } from '../document.ts';
import { palette } from '../palette.ts';
import { type Lines, lineHeight, type Sheet, type TextStyle } from './sheet.ts';
import type { OpenElement } from './tags.ts';

type Table = Extract<Block, { kind: 'table' }>;

const style: TextStyle = { size: 7.8, color: palette.ink };
const bold: TextStyle = { ...style, weight: 'bold' };
const padding = 3;

/** Draws a table; the headings stand on each page. A row that fits on one page is not divided. */
export const drawTable = (sheet: Sheet, table: Table): void => {
  sheet.need(Math.min(startHeight(sheet, table), sheet.pageHeight / 2));
  sheet.tags.within('Table', () => drawRows(sheet, table), { alt: table.name });
  sheet.skip(4);
};

/** Returns the height of the headings and the first row, which a heading before stays with. */
export const startHeight = (sheet: Sheet, { columns, rows }: Table): number => {
  const [first = []] = rows;
  const heightIn = (cells: readonly (readonly string[])[], of: TextStyle) =>
    heightOf(
      cells.map((cell, n) => {
        const width = columns[n]!.share * sheet.width - 2 * padding;
        return cell.flatMap((line) => sheet.wrap(line, width, of));
      }),
    );
  const headings = columns.map(({ heading }) => [heading]);
  return heightIn(headings, bold) + (first.length > 0 ? heightIn(first, style) : 0);
};

const drawRows = (sheet: Sheet, { columns, rows }: Table): void => {
  const { tags } = sheet;
  const widths = columns.map(({ share }) => share * sheet.width);
  const wrapped = (cell: readonly string[], column: number, of: TextStyle): Lines =>
    cell.flatMap((line) => sheet.wrap(line, widths[column]! - 2 * padding, of));
  const headings = columns.map(({ heading }, n) => wrapped([heading], n, bold));
  const drawHeadings = (cells: readonly OpenElement[] | null) => {
    tags.decorate(() => {
      sheet.doc.rect(sheet.left, sheet.y(), sheet.width, heightOf(headings)).fill(palette.shade);
    });
    drawCells(sheet, widths, headings, bold, cells);
  };
  // headings on a further page are no content again
  const repeatHeadings = () => tags.decorate(() => drawHeadings(null));
  inRow(sheet, columns.length, true, drawHeadings);
  for (const row of rows)
    inRow(sheet, row.length, false, (elements) => {
      let cells = row.map((cell, n) => wrapped(cell, n, style));
      if (heightOf(cells) <= sheet.pageHeight - heightOf(headings)) {
        if (sheet.need(heightOf(cells))) repeatHeadings();
        drawCells(sheet, widths, cells, style, elements);
        return;
      }
      while (cells.some((lines) => lines.length > 0)) {
        if (sheet.need(heightOf([['']]))) repeatHeadings();
        const fitting = Math.floor((sheet.remaining() - 2 * padding) / lineHeight(style));
        const part = cells.map((lines) => lines.slice(0, fitting));
        drawCells(sheet, widths, part, style, elements);
        cells = cells.map((lines) => lines.slice(fitting));
      }
    });
};

/** Opens a row and its cells, so that they can be drawn in parts. The first cell is the heading. */
const inRow = (
  { tags }: Sheet,
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
  sheet: Sheet,
  widths: readonly number[],
  cells: readonly Lines[],
  of: TextStyle,
  elements: readonly OpenElement[] | null,
): void => {
  let x = sheet.left;
  cells.forEach((lines, column) => {
    const draw = () =>
      lines.forEach((line, n) => {
        sheet.put(line, x + padding, sheet.y() + padding + n * lineHeight(of), of);
      });
    if (elements) elements[column]!.inside(draw);
    else draw();
    x += widths[column]!;
  });
  sheet.skip(heightOf(cells));
  sheet.tags.decorate(() => {
    const y = sheet.y();
    sheet.doc.moveTo(sheet.left, y).lineTo(sheet.left + sheet.width, y);
    sheet.doc.lineWidth(0.4).stroke(palette.line);
  });
};
