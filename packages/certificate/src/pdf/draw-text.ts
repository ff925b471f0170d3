import type { Block } from '../document.ts';
import { palette, tones } from '../palette.ts';
import { lineHeight, type Sheet, type TextStyle, writeLines } from './sheet.ts';

const body: TextStyle = { size: 9, color: palette.ink };
const quiet: TextStyle = { size: 9, color: palette.quiet };
const labelWidth = 140;

export const drawTitle = (sheet: Sheet, title: string, subtitle: string): void => {
  const style: TextStyle = { size: 17, weight: 'bold', color: palette.ink };
  writeLines(sheet, sheet.wrap(title, sheet.width, style), sheet.left, style);
  writeLines(sheet, sheet.wrap(subtitle, sheet.width, quiet), sheet.left, quiet);
  sheet.skip(6);
};

/** Draws a heading, together with the space for the first lines below it. */
export const drawHeading = (sheet: Sheet, text: string, isMain: boolean): void => {
  const style: TextStyle = { size: isMain ? 12 : 10, weight: 'bold', color: palette.ink };
  sheet.need(isMain ? 80 : 60);
  sheet.skip(isMain ? 12 : 6);
  writeLines(sheet, sheet.wrap(text, sheet.width, style), sheet.left, style);
  if (isMain) {
    const y = sheet.y() + 1;
    sheet.doc.moveTo(sheet.left, y).lineTo(sheet.left + sheet.width, y);
    sheet.doc.lineWidth(0.6).stroke(palette.line);
    sheet.skip(3);
  }
  sheet.skip(2);
};

export const drawParagraph = (sheet: Sheet, text: string): void => {
  writeLines(sheet, sheet.wrap(text, sheet.width, body), sheet.left, body);
  sheet.skip(2);
};

export const drawList = (sheet: Sheet, items: readonly string[]): void => {
  const indent = 10;
  for (const item of items) {
    const lines = sheet.wrap(item, sheet.width - indent, body);
    sheet.need(lineHeight(body));
    sheet.put('•', sheet.left, sheet.y(), body);
    writeLines(sheet, lines, sheet.left + indent, body);
  }
  sheet.skip(2);
};

export const drawFacts = (
  sheet: Sheet,
  facts: Extract<Block, { kind: 'facts' }>['facts'],
): void => {
  const gap = 8;
  for (const { label, value } of facts) {
    const labels = sheet.wrap(label, labelWidth - gap, quiet);
    const values = sheet.wrap(value, sheet.width - labelWidth, body);
    sheet.need(labels.length * lineHeight(quiet));
    labels.forEach((line, n) => {
      sheet.put(line, sheet.left, sheet.y() + n * lineHeight(quiet), quiet);
    });
    writeLines(sheet, values, sheet.left + labelWidth, body);
    sheet.skip(Math.max(0, labels.length - values.length) * lineHeight(quiet));
  }
  sheet.skip(2);
};

export const drawNotice = (
  sheet: Sheet,
  { tone, title, lines }: Extract<Block, { kind: 'notice' }>,
): void => {
  const [ink, shade] = tones[tone];
  const [padding, bar] = [7, 3];
  const width = sheet.width - bar - 2 * padding;
  const heading: TextStyle = { size: 10, weight: 'bold', color: ink };
  const text: TextStyle = { size: 9, color: ink };
  const titles = sheet.wrap(title, width, heading);
  const texts = lines.flatMap((line) => sheet.wrap(line, width, text));
  const height =
    titles.length * lineHeight(heading) + texts.length * lineHeight(text) + 2 * padding - 2;
  sheet.skip(3);
  sheet.need(height);
  sheet.doc.rect(sheet.left, sheet.y(), sheet.width, height).fill(shade);
  sheet.doc.rect(sheet.left, sheet.y(), bar, height).fill(ink);
  sheet.skip(padding - 1);
  writeLines(sheet, titles, sheet.left + bar + padding, heading);
  writeLines(sheet, texts, sheet.left + bar + padding, text);
  sheet.skip(padding + 3);
};
