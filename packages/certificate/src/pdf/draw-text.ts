import type { Block } from '../document.ts';
import { palette, tones } from '../palette.ts';
import { lineHeight, type Sheet, type TextStyle, writeLines } from './sheet.ts';

const body: TextStyle = { size: 9, color: palette.ink };
const quiet: TextStyle = { size: 9, color: palette.quiet };
const labelWidth = 140;

export const drawTitle = (sheet: Sheet, title: string, subtitle: string): void => {
  const style: TextStyle = { size: 17, weight: 'bold', color: palette.ink };
  drawLines(sheet, 'H1', title, style);
  drawLines(sheet, 'P', subtitle, quiet);
  sheet.skip(6);
};

/** Draws a heading, together with the space for the first lines below it: at least `below`. */
export const drawHeading = (sheet: Sheet, text: string, isMain: boolean, below: number): void => {
  const style: TextStyle = { size: isMain ? 12 : 10, weight: 'bold', color: palette.ink };
  const own = isMain ? 34 : 22;
  sheet.need(own + Math.max(isMain ? 46 : 38, Math.min(below, sheet.pageHeight / 2)));
  sheet.skip(isMain ? 12 : 6);
  drawLines(sheet, isMain ? 'H2' : 'H3', text, style);
  if (isMain) {
    sheet.tags.decorate(() => {
      const y = sheet.y() + 1;
      sheet.doc.moveTo(sheet.left, y).lineTo(sheet.left + sheet.width, y);
      sheet.doc.lineWidth(0.6).stroke(palette.line);
    });
    sheet.skip(3);
  }
  sheet.skip(2);
};

export const drawParagraph = (sheet: Sheet, text: string): void => {
  drawLines(sheet, 'P', text, body);
  sheet.skip(2);
};

export const drawList = (sheet: Sheet, items: readonly string[]): void => {
  const { tags } = sheet;
  const indent = 10;
  tags.within('L', () => {
    for (const item of items)
      tags.within('LI', () => {
        const lines = sheet.wrap(item, sheet.width - indent, body);
        sheet.need(lineHeight(body));
        tags.within('Lbl', () => sheet.put('•', sheet.left, sheet.y(), body));
        tags.within('LBody', () => writeLines(sheet, lines, sheet.left + indent, body));
      });
  });
  sheet.skip(2);
};

/** Draws labels and values as a table without lines. */
export const drawFacts = (
  sheet: Sheet,
  facts: Extract<Block, { kind: 'facts' }>['facts'],
): void => {
  const { tags } = sheet;
  const gap = 8;
  tags.within('Table', () => {
    for (const { label, value } of facts)
      tags.within('TR', () => {
        const labels = sheet.wrap(label, labelWidth - gap, quiet);
        const values = sheet.wrap(value, sheet.width - labelWidth, body);
        sheet.need(labels.length * lineHeight(quiet));
        const putLabels = () =>
          labels.forEach((line, n) => {
            sheet.put(line, sheet.left, sheet.y() + n * lineHeight(quiet), quiet);
          });
        tags.within('TH', putLabels, { scope: 'Row' });
        tags.within('TD', () => writeLines(sheet, values, sheet.left + labelWidth, body));
        sheet.skip(Math.max(0, labels.length - values.length) * lineHeight(quiet));
      });
  });
  sheet.skip(2);
};

export const drawNotice = (
  sheet: Sheet,
  { tone, title, lines }: Extract<Block, { kind: 'notice' }>,
): void => {
  const { tags } = sheet;
  const [ink, shade] = tones[tone];
  const [padding, bar] = [7, 3];
  const width = sheet.width - bar - 2 * padding;
  const heading: TextStyle = { size: 10, weight: 'bold', color: ink };
  const text: TextStyle = { size: 9, color: ink };
  const titles = sheet.wrap(title, width, heading);
  const texts = lines.map((line) => sheet.wrap(line, width, text));
  const rows = texts.flat().length;
  const height = titles.length * lineHeight(heading) + rows * lineHeight(text) + 2 * padding - 2;
  sheet.skip(3);
  sheet.need(height);
  tags.decorate(() => {
    sheet.doc.rect(sheet.left, sheet.y(), sheet.width, height).fill(shade);
    sheet.doc.rect(sheet.left, sheet.y(), bar, height).fill(ink);
  });
  sheet.skip(padding - 1);
  const x = sheet.left + bar + padding;
  tags.within('P', () => writeLines(sheet, titles, x, heading));
  for (const one of texts) tags.within('P', () => writeLines(sheet, one, x, text));
  sheet.skip(padding + 3);
};

const drawLines = (sheet: Sheet, type: string, text: string, style: TextStyle): void =>
  sheet.tags.within(type, () =>
    writeLines(sheet, sheet.wrap(text, sheet.width, style), sheet.left, style),
  );
