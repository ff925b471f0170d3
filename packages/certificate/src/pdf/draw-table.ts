import type { Block } from '../document.ts';
import { palette } from '../palette.ts';
import { type Lines, lineHeight, type Sheet, type TextStyle } from './sheet.ts';

type Table = Extract<Block, { kind: 'table' }>;

const style: TextStyle = { size: 7.8, color: palette.ink };
const bold: TextStyle = { ...style, weight: 'bold' };
const padding = 3;

/** Draws a table; the headings stand on each page. A row that fits on one page is not divided. */
export const drawTable = (sheet: Sheet, { columns, rows }: Table): void => {
  const widths = columns.map(({ share }) => share * sheet.width);
  const wrapped = (cell: readonly string[], column: number, of: TextStyle): Lines =>
    cell.flatMap((line) => sheet.wrap(line, widths[column]! - 2 * padding, of));
  const headings = columns.map(({ heading }, n) => wrapped([heading], n, bold));
  const drawHeadings = () => {
    sheet.doc.rect(sheet.left, sheet.y(), sheet.width, heightOf(headings)).fill(palette.shade);
    drawCells(sheet, widths, headings, bold);
  };
  sheet.need(heightOf(headings) + 30);
  drawHeadings();
  for (const row of rows) {
    let cells = row.map((cell, n) => wrapped(cell, n, style));
    if (heightOf(cells) <= sheet.pageHeight - heightOf(headings)) {
      if (sheet.need(heightOf(cells))) drawHeadings();
      drawCells(sheet, widths, cells, style);
      continue;
    }
    while (cells.some((lines) => lines.length > 0)) {
      if (sheet.need(heightOf([['']]))) drawHeadings();
      const fitting = Math.floor((sheet.remaining() - 2 * padding) / lineHeight(style));
      drawCells(
        sheet,
        widths,
        cells.map((lines) => lines.slice(0, fitting)),
        style,
      );
      cells = cells.map((lines) => lines.slice(fitting));
    }
  }
  sheet.skip(4);
};

const heightOf = (cells: readonly Lines[]): number =>
  Math.max(...cells.map((lines) => lines.length)) * lineHeight(style) + 2 * padding;

const drawCells = (
  sheet: Sheet,
  widths: readonly number[],
  cells: readonly Lines[],
  of: TextStyle,
): void => {
  let x = sheet.left;
  cells.forEach((lines, column) => {
    lines.forEach((line, n) => {
      sheet.put(line, x + padding, sheet.y() + padding + n * lineHeight(of), of);
    });
    x += widths[column]!;
  });
  sheet.skip(heightOf(cells));
  const y = sheet.y();
  sheet.doc.moveTo(sheet.left, y).lineTo(sheet.left + sheet.width, y);
  sheet.doc.lineWidth(0.4).stroke(palette.line);
};
