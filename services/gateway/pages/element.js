/** An element with text or children; never markup, as a proof file may come from anybody. */
export const element = (tag, content = [], className = '') => {
  const made = document.createElement(tag);
  made.append(...(Array.isArray(content) ? content : [content]));
  if (className !== '') made.className = className;
  return made;
};
