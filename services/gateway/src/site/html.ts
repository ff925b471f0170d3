/** Returns a table of HTML cells with a name, in the frame that the site's tables have. */
export const table = (
  name: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string => {
  const head = heads.map((one) => `<th scope="col">${one}</th>`).join('');
  const body = rows.map((cells) => `<tr>${cells.map((one) => `<td>${one}</td>`).join('')}</tr>`);
  return `${frame(name)}<table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
};

/** Returns a table of names and HTML values, with a name of its own. */
export const facts = (name: string, rows: readonly (readonly [string, string])[]): string => {
  const body = rows.map(
    ([name, value]) => `<tr><th scope="row">${name}</th><td>${value}</td></tr>`,
  );
  return `${frame(name)}<table><tbody>${body.join('')}</tbody></table></div>`;
};

/** The frame scrolls, so it can have the focus (WCAG 2.1.1). */
const frame = (name: string): string =>
  `<div class="table" tabindex="0" role="group" aria-label="${name}">`;

/** Returns an unordered list of HTML items. */
export const list = (items: readonly string[]): string =>
  `<ul>${items.map((one) => `<li>${one}</li>`).join('')}</ul>`;

/** Returns a duration such as `19 h 24 min`, of its units that are not 0. */
export const shownDuration = (seconds: number): string => {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  const units: readonly [number, string][] = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'min'],
    [Math.floor(seconds % 60), 's'],
  ];
  return units
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
};
