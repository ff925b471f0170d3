import type { Block } from '../document.ts';
import { modulesPath, qrModules } from '../qr-modules.ts';
import { chartSvg } from './chart-svg.ts';
import { escapeHtml } from './escape.ts';

/** Returns a block of a certificate as HTML. */
export const blockHtml = (block: Block): string => {
  switch (block.kind) {
    case 'heading':
      return `<h2>${escapeHtml(block.text)}</h2>`;
    case 'subheading':
      return `<h3>${escapeHtml(block.text)}</h3>`;
    case 'paragraph':
      return `<p>${escapeHtml(block.text)}</p>`;
    case 'notice':
      return `<div class="notice ${block.tone}"><p><strong>${escapeHtml(block.title)}</strong></p>${paragraphs(block.lines)}</div>`;
    case 'facts':
      return `<dl>${block.facts.map(({ label, value }) => `<div><dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')}</dl>`;
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`;
    case 'table':
      return tableHtml(block);
    case 'chart':
      return chartSvg(block.chart, block.name);
    case 'picture':
      return '';
    case 'qr':
      return qrHtml(block);
  }
};

const paragraphs = (lines: readonly string[]): string =>
  lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('');

const tableHtml = ({ name, columns, rows }: Extract<Block, { kind: 'table' }>): string => {
  const widths = columns.map(({ share }) => `<col style="width:${Math.round(share * 100)}%">`);
  const headings = columns.map(({ heading }) => `<th scope="col">${escapeHtml(heading)}</th>`);
  const body = rows.map((cells) => `<tr>${cells.map(cellHtml).join('')}</tr>`);
  return `<table aria-label="${escapeHtml(name)}"><colgroup>${widths.join('')}</colgroup><thead><tr>${headings.join('')}</tr></thead><tbody>${body.join('')}</tbody></table>`;
};

/** The first cell of a row is its heading. */
const cellHtml = (lines: readonly string[], column: number): string => {
  const text = lines.map(escapeHtml).join('<br>');
  return column === 0 ? `<th scope="row">${text}</th>` : `<td>${text}</td>`;
};

const qrHtml = ({ url, name, lines }: Extract<Block, { kind: 'qr' }>): string => {
  const modules = qrModules(url);
  const size = modules.length;
  return `<div class="verify"><svg class="qr" role="img" aria-label="${escapeHtml(name)}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path d="${modulesPath(modules)}"/></svg><div>${paragraphs(lines)}</div></div>`;
};
