/**
 * Creates a DOM element with text or child elements. It never parses markup, because anybody may
 * have written the proof file.
 */
export const element = (tag, content = [], className = '') => {
  const made = document.createElement(tag);
  made.append(...(Array.isArray(content) ? content : [content]));
  if (className !== '') made.className = className;
  return made;
};
