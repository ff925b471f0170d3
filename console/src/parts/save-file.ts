/** Saves a text or bytes as a file of the person's computer. */
export const saveFile = (name: string, type: string, content: BlobPart): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};
