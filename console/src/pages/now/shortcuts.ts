/** The keys of the page Now, with what they do. */
export const shortcuts = [
  ['j', 'Next order of Now'],
  ['k', 'Previous order'],
  ['J', 'Next column'],
  ['K', 'Previous column'],
  ['Enter', 'Open the order beside the board'],
  ['Esc', 'Close it, or select none'],
  ['n', 'Next step'],
  ['a', 'Assign'],
  ['x', 'Select'],
  ['X', 'Select the column'],
  ['u', 'Take the last step back'],
] as const;
