import type { Block } from '../document.ts';
import { drawChart } from './draw-chart.ts';
import { drawQr } from './draw-qr.ts';
import { drawTable } from './draw-table.ts';
import { drawFacts, drawHeading, drawList, drawNotice, drawParagraph } from './draw-text.ts';
import type { Sheet } from './sheet.ts';

/** Draws a block of a certificate below the ones before. */
export const drawBlock = (sheet: Sheet, block: Block): void => {
  switch (block.kind) {
    case 'heading':
      return drawHeading(sheet, block.text, true);
    case 'subheading':
      return drawHeading(sheet, block.text, false);
    case 'paragraph':
      return drawParagraph(sheet, block.text);
    case 'notice':
      return drawNotice(sheet, block);
    case 'facts':
      return drawFacts(sheet, block.facts);
    case 'list':
      return drawList(sheet, block.items);
    case 'table':
      return drawTable(sheet, block);
    case 'chart':
      return drawChart(sheet, block.chart);
    case 'qr':
      return drawQr(sheet, block);
  }
};
